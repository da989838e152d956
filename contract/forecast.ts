import * as z from 'zod/mini'

/** Why there is no forecast: too few days are known, nothing was used, or there is no limit to run out of. */
const unknownReasons = ['too few days', 'no use', 'no limit', 'cycle over'] as const
export type UnknownReason = (typeof unknownReasons)[number]

/**
 * Whether data will last until the cycle ends. `low` and `high` are the 80 % interval of the total at its end.
 * Days are the vendor's, in UTC.
 */
export const Forecast = z.discriminatedUnion('known', [
  z.object({
    known: z.literal(false),
    reason: z.enum(unknownReasons),
    /** How many whole days of usage are known, and how many are needed. */
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
    /** The limit is reached between these days with a probability of 80 %; null: not before the cycle ends. */
    earliest: z.nullable(z.iso.date()),
    latest: z.nullable(z.iso.date()),
    /** The limit has been reached already. */
    reached: z.boolean(),
  }),
])
export type Forecast = z.output<typeof Forecast>
export type KnownForecast = Extract<Forecast, { known: true }>
