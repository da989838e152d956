import * as z from 'zod/mini'
import { boundedMoment, moment } from './codecs.ts'

const since = z.nullable(moment)

/** What a response about the past says of itself. */
export const Past = z.object({
  at: moment,
  /** Up to when terminals had been observed by then; null if none was in the days before. */
  newestAt: z.nullable(moment),
  /** How far apart the stored values of that time are. */
  stepS: z.number(),
  /** From when on is recorded whether terminals were online; null if nothing is. */
  statusSince: since,
  /** The same for everything else: names, places, plans, pools, usage and addresses. Before it, only the first known name is shown. */
  factsSince: since,
})
export type Past = z.output<typeof Past>

/** A time that has passed, with its zone: everything is then as it was at that time. Who may see what is decided by the rights of now. */
export const At = z.optional(boundedMoment)
