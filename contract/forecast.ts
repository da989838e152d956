import * as z from 'zod/mini'

/** Why there is no forecast: too few days of data, no usage, no limit, or the cycle has ended. */
const unknownReasons = ['too few days', 'no use', 'no limit', 'cycle over'] as const
export type UnknownReason = (typeof unknownReasons)[number]

/**
 * Whether the data will last until the cycle ends. `low` and `high` are the 80 % interval of the total at its
 * end. Days are the vendor's, in UTC.
 */
export const Forecast = z.discriminatedUnion('known', [
  z.object({
    known: z.literal(false),
    reason: z.enum(unknownReasons),
    /** How many full days of usage are known, and how many are needed. */
    days: z.int(),
    days_needed: z.int(),
  }),
  z.object({
    known: z.literal(true),
    expected_GB: z.number(),
    low_GB: z.number(),
    high_GB: z.number(),
    /** The probability that the limit is reached before the cycle ends. */
    probability: z.number(),
    /** The 80 % interval of the day on which the limit is reached; null: not before the cycle ends. */
    earliest: z.nullable(z.iso.date()),
    latest: z.nullable(z.iso.date()),
    /** The limit has already been reached. */
    reached: z.boolean(),
  }),
])
export type Forecast = z.output<typeof Forecast>
export type KnownForecast = Extract<Forecast, { known: true }>
