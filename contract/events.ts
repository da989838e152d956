import * as z from 'zod/mini'
import { commaList, moment, wholeNumber } from './codecs.ts'
import { At } from './past.ts'
import { route } from './route.ts'
import { text, textLike } from './text.ts'

/** The kinds of events, with their names on pages. */
export const eventKindNames = {
  status: 'Status',
  alert: 'Alerts',
  incident: 'Incidents',
  command: 'Commands',
  pool: 'Pools and data',
} as const
export type EventKind = keyof typeof eventKindNames
export const eventKinds = Object.keys(eventKindNames) as EventKind[]

const FleetEvent = z.object({
  /** Also the cursor that `before` and `after` take. */
  id: z.string(),
  kind: z.enum(eventKinds),
  /** When it happened. */
  at: moment,
  /** When we learned of it. Events are ordered by this time. */
  notedAt: moment,
  /** The subject of the event. */
  name: z.string(),
  /** What happened, to be read after the name. */
  text: z.string(),
  /** For a status change: the new status of the terminal. */
  status: z.nullable(z.enum(['online', 'offline', 'disabled', 'no data'])),
  /** Whether the event needs attention. */
  isTrouble: z.boolean(),
  /** The nickname in the URL of the terminal's page. */
  terminal: z.nullable(z.string()),
  incident: z.nullable(z.string()),
})
export type FleetEvent = z.output<typeof FleetEvent>

const Place = textLike(40, /^\d{1,15}-\d{1,18}$/, 'This is not the id of an event.')

export const MAX_PAGE = 200

export const events = {
  list: route({
    method: 'GET',
    path: '/events/',
    access: 'user',
    summary:
      'What happened to the terminals that the caller may see, newest first; for the next page, `before` is `next` of this one',
    input: z.strictObject({
      /** Comma-separated; only these kinds. */
      kinds: z.optional(commaList(100)),
      /** Only events of this line: its nickname, its number or a kit number. */
      terminal: z.optional(text(100)),
      before: z.optional(Place),
      after: z.optional(Place),
      /** Only events known at that time. */
      at: At,
      limit: z.optional(wholeNumber(1, MAX_PAGE)),
    }),
    output: z.object({
      events: z.array(FleetEvent),
      /** Null when there are no more. */
      next: z.nullable(z.string()),
    }),
  }),
}
