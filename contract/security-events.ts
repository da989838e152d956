import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { boundedMoment, id, moment, wholeNumber } from './codecs.ts'
import { route } from './route.ts'
import { securityEventKindCodes } from './security-event-kinds.ts'
import { choice, text } from './text.ts'

const SecurityEvent = z.object({
  id,
  /** A code of `securityEventKinds`; a newer server may send others. */
  kind: z.string(),
  /** The first and the newest of `count` occurrences. */
  at: moment,
  lastAt: moment,
  count: z.number(),
  /** The email address of the account, as entered; empty for many accounts that do not exist. */
  account: z.string(),
  /** An email address, or the name of a job or command. */
  actor: z.string(),
  address: z.string(),
  device: z.string(),
  details: z.record(z.string(), z.unknown()),
})
export type SecurityEvent = z.output<typeof SecurityEvent>

const filter = {
  /** The user whose account it concerns, or who caused it. */
  person: z.optional(text(254)),
  kind: z.optional(choice(securityEventKindCodes)),
  from: z.optional(boundedMoment),
  until: z.optional(boundedMoment),
}

export const securityEvents = {
  list: route({
    method: 'GET',
    path: '/security-events/',
    access: 'admin',
    summary:
      'Sign-ins, failures, changes of rights and other security events, newest first; for the next page, `before` is the id of the last event and `beforeTime` its `lastAt`',
    input: z.strictObject({
      ...filter,
      before: z.optional(id),
      /** By default, the current time of that event, which a repetition advances. */
      beforeTime: z.optional(boundedMoment),
      limit: z.optional(wholeNumber(1, 1000)),
    }),
    output: z.array(SecurityEvent),
  }),
  download: route({
    method: 'GET',
    path: '/security-events/csv/',
    // Each export is recorded.
    writes: true,
    access: 'admin',
    summary: 'The security events as a CSV file',
    input: z.strictObject(filter),
    output: z.string(),
    media: 'text/csv',
  }),
  mine: route({
    method: 'GET',
    path: '/my-activity/',
    access: 'user',
    summary: 'The newest security events of the caller’s own account',
    input: NoInput,
    output: z.object({ events: z.array(SecurityEvent) }),
  }),
}
