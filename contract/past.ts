import * as z from 'zod/mini'
import { boundedMoment, moment } from './codecs.ts'

const since = z.nullable(moment)

/** How complete a response about the past is. */
export const Past = z.object({
  at: moment,
  /** The newest observation at that time; null if there was none in the days before. */
  newestAt: z.nullable(moment),
  /** The interval between the stored values of that time. */
  stepS: z.number(),
  /** When the recording of terminal status began; null if there is none. */
  statusSince: since,
  /**
   * The same for everything else: names, locations, plans, pools, usage and addresses. Before it, only the first known name is
   * shown.
   */
  factsSince: since,
})
export type Past = z.output<typeof Past>

/**
 * A time in the past, with its zone: the response shows everything as of that time. Access is checked against the caller's
 * current permissions.
 */
export const At = z.optional(boundedMoment)
