import * as z from 'zod/mini'
import { id, moment, wholeNumber } from './codecs.ts'
import { route } from './route.ts'

const LogEntry = z.object({
  id,
  actionPerformer: z.string(),
  actionType: z.string(),
  actionPerformee: z.string(),
  actionTime: moment,
})
export type LogEntry = z.output<typeof LogEntry>

export const audit = {
  logs: route({
    method: 'GET',
    path: '/get-logs/',
    access: 'admin',
    summary: 'Who changed what, newest first; `before` takes the id of the last entry of the page before',
    input: z.strictObject({ before: z.optional(id), limit: z.optional(wholeNumber(1, 1000)) }),
    output: z.array(LogEntry),
  }),
}
