import * as z from 'zod/mini'
import { type PeriodMin, periodsMin } from '#contract/period.ts'
import { EventsInUrl } from '../../parts/events/events-in-url.ts'

export const defaultPeriodMin: PeriodMin = 15

/**
 * The state in the URL: the period in minutes, the selected device, the month of the daily usage, the form of the
 * charts, their comparison, and the list of events.
 */
export const TerminalSearch = z.object({
  period: z.catch(z.optional(z.literal(periodsMin)), undefined),
  device: z.catch(z.optional(z.string()), undefined),
  month: z.catch(z.optional(z.string().check(z.regex(/^\d{4}-\d{2}$/))), undefined),
  view: z.catch(z.optional(z.enum(['charts', 'table'])), undefined),
  /** A part of the period, in Unix seconds. */
  zoom: z.catch(z.optional(z.string().check(z.regex(/^\d{9,11}-\d{9,11}$/))), undefined),
  /** The line shown instead of the points. */
  line: z.catch(z.optional(z.enum(['median', 'p95'])), undefined),
  /** The comparison: the week before, or the nickname of another line. */
  compare: z.catch(z.optional(z.string().check(z.maxLength(100))), undefined),
  expanded: z.catch(z.optional(z.boolean()), undefined),
  events: EventsInUrl,
})
export type TerminalSearch = z.output<typeof TerminalSearch>
