import * as z from 'zod/mini'

/** What an early warning rests on. */
export const WarningFigures = z.object({
  /** In the unit of the cause: a fraction of time or of signal, km, days, restarts, or GB. Null where there is nothing to compare with. */
  before: z.nullable(z.number()),
  now: z.number(),
  /** The UTC day on which the change began, and how many days it has taken. */
  since: z.string(),
  days: z.number(),
  /** The UTC day around which service will be interrupted at this pace. */
  hurtsOn: z.nullable(z.string()),
  /** Where it is and where its service address is, as country codes; for a border, the names on both sides. */
  countries: z.nullable(z.tuple([z.string(), z.string()])),
})
export type WarningFigures = z.output<typeof WarningFigures>
