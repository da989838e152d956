import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { moment } from './codecs.ts'
import { route } from './route.ts'
import { uuid } from './text.ts'

const OwnSession = z.object({
  id: z.string(),
  startedAt: moment,
  address: z.string(),
  userAgent: z.string(),
  /** The session of this request. */
  isThis: z.boolean(),
})
export type OwnSession = z.output<typeof OwnSession>

const sessionId = uuid('This is not a valid session id.')

export const sessions = {
  list: route({
    method: 'GET',
    path: '/my-sessions/',
    access: 'user',
    summary: 'Where the caller is signed in, newest first',
    input: NoInput,
    output: z.object({ sessions: z.array(OwnSession) }),
  }),
  end: route({
    method: 'DELETE',
    path: '/my-sessions/:sessionId/',
    access: 'user',
    summary: 'Sign out one of the caller’s sessions',
    input: z.strictObject({ sessionId }),
    output: Done,
  }),
  endOthers: route({
    method: 'DELETE',
    path: '/my-sessions/',
    access: 'user',
    summary: 'Sign out all of the caller’s sessions except the current one',
    input: NoInput,
    output: Done,
  }),
}
