import * as z from 'zod/mini'
import { Done } from './basic-bodies.ts'
import { moment, wholeNumber } from './codecs.ts'
import { route } from './route.ts'
import { choice, requiredLine, text, uuid } from './text.ts'

export const shareKinds = ['terminal', 'incident', 'report', 'view'] as const
export type ShareKind = (typeof shareKinds)[number]

export const longestShareDays = 365
const shortestPassPhrase = 8

/** What a link shows: a line, by its nickname, number or kit number; or the id of an incident, report or saved view. */
const subject = { kind: choice(shareKinds), subject: requiredLine(100) }

const passPhrase = text(200).check(
  z.minLength(shortestPassPhrase, `Please enter at least ${shortestPassPhrase} characters.`),
)

const shareStates = ['active', 'expired', 'revoked'] as const

const ShareLink = z.object({
  id: z.string(),
  kind: z.enum(shareKinds),
  title: z.string(),
  state: z.enum(shareStates),
  hasPassPhrase: z.boolean(),
  createdAt: moment,
  createdBy: z.string(),
  expiresAt: moment,
  opened: z.number(),
  lastOpenedAt: z.nullable(moment),
})
export type ShareLink = z.output<typeof ShareLink>

export const shareLinks = {
  list: route({
    method: 'GET',
    path: '/share-links/',
    access: 'admin',
    summary: 'Links that show something to whoever has them, newest first; of one subject, or all',
    input: z.strictObject({ kind: z.optional(choice(shareKinds)), subject: z.optional(text(100)) }),
    output: z.object({ links: z.array(ShareLink) }),
  }),
  create: route({
    method: 'POST',
    path: '/share-links/',
    access: 'admin',
    summary:
      'Creates a link that shows one terminal, incident or report, or what a saved view selects, and nothing else, to whoever has it',
    input: z.strictObject({ ...subject, days: wholeNumber(1, longestShareDays), passPhrase: z.nullable(passPhrase) }),
    /** The path of the page. It is returned only once. */
    output: z.object({ id: z.string(), path: z.string() }),
  }),
  revoke: route({
    method: 'DELETE',
    path: '/share-links/:id/',
    access: 'admin',
    summary: 'Ends a link at once',
    input: z.strictObject({ id: uuid('This is not a valid id.') }),
    output: Done,
  }),
}
