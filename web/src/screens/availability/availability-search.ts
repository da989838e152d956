import * as z from 'zod/mini'
import { calendarPeriods } from '#contract/calendar-period.ts'

const optional = <Schema extends z.ZodMiniType>(schema: Schema) => z.catch(z.optional(schema), undefined)
const day = z.string().check(z.regex(/^20\d\d-\d\d-\d\d$/))

/** In the URL. The default period is the current month, the default terminals all that the user may see. */
export const AvailabilitySearch = z.object({
  period: optional(z.enum(calendarPeriods)),
  day: optional(day),
  lastDay: optional(day),
  group: optional(z.string()),
  terminal: optional(z.string()),
  /** The kind of time whose spans are listed. */
  kind: optional(z.enum(['up', 'down', 'planned', 'not observed'])),
  order: optional(z.enum(['longest'])),
})
export type AvailabilitySearch = z.output<typeof AvailabilitySearch>
