import * as z from 'zod/mini'
import { NoInput } from './answer.ts'
import { id, moment, wholeNumber } from './codecs.ts'
import { route } from './route.ts'
import { text } from './text.ts'

const LogEntry = z.object({
  id,
  /** An e-mail address, or the name of a job or command. */
  actionPerformer: z.string(),
  actionType: z.string(),
  actionPerformee: z.string(),
  actionTime: moment,
  /** What was before and after, or whatever else the entry tells; never a secret. */
  details: z.record(z.string(), z.unknown()),
})
export type LogEntry = z.output<typeof LogEntry>

// What is asked for has a bound; a moment by itself has none.
const boundedMoment = z.codec(z.iso.datetime({ offset: true }).check(z.maxLength(40)), moment, {
  decode: (value) => value,
  encode: (value) => value,
})

const filter = {
  /** Who did it or to whom it was done. */
  person: z.optional(text(254)),
  action: z.optional(text(100)),
  from: z.optional(boundedMoment),
  until: z.optional(boundedMoment),
}

/** What is wrong with a chain, at the first entry where something is. */
const Fault = z.object({ id, problem: z.string() })

const Verification = z.object({
  intact: z.boolean(),
  entries: z.number(),
  /** The last entry and its hash, as it is mailed to administrators. */
  head: z.nullable(z.object({ id, hash: z.string() })),
  fault: z.nullable(Fault),
})
export type Verification = z.output<typeof Verification>

export const audit = {
  logs: route({
    method: 'GET',
    path: '/get-logs/',
    access: 'admin',
    summary: 'Who changed what, newest first; `before` takes the id of the last entry of the page before',
    input: z.strictObject({ ...filter, before: z.optional(id), limit: z.optional(wholeNumber(1, 1000)) }),
    output: z.array(LogEntry),
  }),
  choices: route({
    method: 'GET',
    path: '/get-logs/choices/',
    access: 'admin',
    summary: 'Performers and actions that stand in the log',
    input: NoInput,
    output: z.object({ performers: z.array(z.string()), actions: z.array(z.string()) }),
  }),
  download: route({
    method: 'GET',
    path: '/get-logs/csv/',
    access: 'admin',
    summary: 'The log as a CSV file',
    input: z.strictObject(filter),
    output: z.string(),
    media: 'text/csv',
  }),
  verify: route({
    method: 'GET',
    path: '/get-logs/verify/',
    access: 'admin',
    summary: 'Whether the log is as it was written: no entry edited, deleted, reordered or cut off',
    input: NoInput,
    output: Verification,
  }),
}
