import * as z from 'zod/mini'
import { Done } from './basic-bodies.ts'
import { boundedMoment, moment, wholeNumber } from './codecs.ts'
import { incidentCauses, incidentReaches } from './incident-cause.ts'
import { route } from './route.ts'
import { choice, text, uuid } from './text.ts'

const id = uuid('This is not a valid id.')

const Incident = z.object({
  id: z.string(),
  cause: z.enum(incidentCauses),
  reach: z.enum(incidentReaches),
  /** 0 to 1. */
  confidence: z.number(),
  startedAt: moment,
  openedAt: moment,
  /** Null while it lasts. */
  endedAt: z.nullable(moment),
  /** Only terminals that the caller may see are counted. */
  terminals: z.number(),
  back: z.number(),
  lostPower: z.number(),
  /** How many terminals of the place worked just before; null for callers who may not see all of them. */
  observed: z.nullable(z.number()),
  /** The name of the first terminal. */
  name: z.string(),
  place: z.nullable(z.string()),
  center: z.nullable(z.tuple([z.number(), z.number()])),
  radiusKm: z.nullable(z.number()),
  /** The worst before the loss, 0 to 1. */
  signalQuality: z.nullable(z.number()),
  obstruction: z.nullable(z.number()),
  /** The vendor's codes. */
  alerts: z.array(z.string()),
  /** The name of the maintenance window in which it began. */
  window: z.nullable(z.string()),
  acknowledgedAt: z.nullable(moment),
  acknowledgedBy: z.nullable(z.string()),
  note: z.string(),
  snoozedUntil: z.nullable(moment),
})
export type Incident = z.output<typeof Incident>

const IncidentLoss = z.object({
  deviceId: z.string(),
  /** Of the service line, which leads to the terminal's page. */
  nickname: z.string(),
  name: z.string(),
  place: z.nullable(z.string()),
  position: z.nullable(z.tuple([z.number(), z.number()])),
  lostAt: moment,
  backAt: z.nullable(moment),
})
export type IncidentLoss = z.output<typeof IncidentLoss>

export const incidents = {
  list: route({
    method: 'GET',
    path: '/incidents/',
    access: 'user',
    summary:
      'Incidents of the terminals that the caller may see, newest first; for the next page, `before` is the id of the last one',
    input: z.strictObject({
      show: z.optional(choice(['open', 'all'])),
      /** Only incidents of this line: its nickname, its number or a kit number. */
      terminal: z.optional(text(100)),
      before: z.optional(id),
      limit: z.optional(wholeNumber(1, 200)),
    }),
    output: z.object({
      openCount: z.number(),
      incidents: z.array(Incident),
      /** Maintenance windows that run now, of the same terminals. */
      maintenance: z.array(z.object({ id: z.string(), name: z.string(), until: moment })),
    }),
  }),
  get: route({
    method: 'GET',
    path: '/incidents/:id/',
    access: 'user',
    summary: 'An incident with its terminals',
    input: z.strictObject({ id }),
    output: z.object({
      incident: Incident,
      /** The incident that it turned out to be a part of. */
      mergedInto: z.nullable(z.string()),
      losses: z.array(IncidentLoss),
      /** There are more losses than listed. */
      isCut: z.boolean(),
    }),
  }),
  acknowledge: route({
    method: 'POST',
    path: '/incidents/:id/acknowledge/',
    access: 'admin',
    summary: 'Records that somebody takes care of an incident, with a note; again to change the note',
    input: z.strictObject({ id, note: text(1000) }),
    output: Done,
  }),
  snooze: route({
    method: 'POST',
    path: '/incidents/:id/snooze/',
    access: 'admin',
    summary: 'Hides an incident from banners until a time; null shows it again',
    input: z.strictObject({ id, until: z.nullable(boundedMoment) }),
    output: Done,
  }),
}
