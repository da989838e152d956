import * as z from 'zod/mini'

/** The figures behind an early warning. */
export const WarningFigures = z.object({
  /**
   * In the unit of the cause: a fraction of time or of signal, km, days, restarts, or GB. Null if there is nothing to compare
   * with.
   */
  before: z.nullable(z.number()),
  now: z.number(),
  /** The UTC day on which the change began, and its duration in days. */
  since: z.string(),
  days: z.number(),
  /** The UTC day around which service will be interrupted at this rate. */
  hurtsOn: z.nullable(z.string()),
  /** The country codes of its location and of its service address; for a border, the names on both sides. */
  countries: z.nullable(z.tuple([z.string(), z.string()])),
})
export type WarningFigures = z.output<typeof WarningFigures>
