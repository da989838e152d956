import * as z from 'zod/mini'
import { boundedMoment, moment } from './codecs.ts'

const since = z.nullable(moment)

/** From when on each fact is known; null if it never was. What is not known is left out, and of names the first one is shown. */
const PastKnowledge = z.object({
  status: since,
  /** Names, places and plans. */
  names: since,
  /** Alerts, and where moving terminals were. */
  alerts: since,
  addresses: since,
  pools: since,
  usage: since,
})
export type PastKnowledge = z.output<typeof PastKnowledge>

/** What a response about the past says of itself. */
export const Past = z.object({
  at: moment,
  /** Up to when terminals had been observed by then; null if none was in the days before. */
  newestAt: z.nullable(moment),
  /** How far apart the stored values of that time are. */
  stepS: z.number(),
  knownSince: PastKnowledge,
})
export type Past = z.output<typeof Past>

/** A time that has passed, with its zone: everything is then as it was at that time. Who may see what is decided by the rights of now. */
export const At = z.optional(boundedMoment)
