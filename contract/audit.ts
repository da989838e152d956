import * as z from 'zod/mini'
import { NoInput } from './basic-bodies.ts'
import { boundedMoment, id, moment, wholeNumber } from './codecs.ts'
import { route } from './route.ts'
import { text } from './text.ts'

const LogEntry = z.object({
  id,
  /** An email address, or the name of a job or command. */
  actionPerformer: z.string(),
  actionType: z.string(),
  actionPerformee: z.string(),
  actionTime: moment,
  /** The values before and after, or other facts of the entry; never a secret. */
  details: z.record(z.string(), z.unknown()),
})
export type LogEntry = z.output<typeof LogEntry>

const filter = {
  /** The user who performed the action or whom it concerned. */
  person: z.optional(text(254)),
  action: z.optional(text(100)),
  from: z.optional(boundedMoment),
  until: z.optional(boundedMoment),
}

/** The first entry that breaks the chain, and how. */
const Fault = z.object({ id, problem: z.string() })

const Verification = z.object({
  intact: z.boolean(),
  entries: z.number(),
  /** The last entry and its hash, as mailed to administrators. */
  head: z.nullable(z.object({ id, hash: z.string() })),
  fault: z.nullable(Fault),
})
export type Verification = z.output<typeof Verification>

export const audit = {
  logs: route({
    method: 'GET',
    path: '/get-logs/',
    access: 'admin',
    summary: 'Who changed what, newest first; for the next page, `before` is the id of the last entry',
    input: z.strictObject({ ...filter, before: z.optional(id), limit: z.optional(wholeNumber(1, 1000)) }),
    output: z.array(LogEntry),
  }),
  choices: route({
    method: 'GET',
    path: '/get-logs/choices/',
    access: 'admin',
    summary: 'The performers and actions in the log',
    input: NoInput,
    output: z.object({ performers: z.array(z.string()), actions: z.array(z.string()) }),
  }),
  download: route({
    method: 'GET',
    path: '/get-logs/csv/',
    access: 'admin',
    // The export itself is recorded.
    writes: true,
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
