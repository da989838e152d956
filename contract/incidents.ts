import * as z from 'zod/mini'
import { Done } from './basic-bodies.ts'
import { boundedMoment, flag, moment, wholeNumber } from './codecs.ts'
import { incidentCauses, incidentReaches, isWarning } from './incident-cause.ts'
import { At } from './past.ts'
import { route } from './route.ts'
import { choice, text, uuid } from './text.ts'
import { WarningFigures } from './warning-figures.ts'

const id = uuid('This is not a valid id.')

const Incident = z.object({
  id: z.string(),
  cause: z.enum(incidentCauses),
  reach: z.enum(incidentReaches),
  /** 0 to 1. */
  confidence: z.number(),
  startedAt: moment,
  openedAt: moment,
  /** Null while it is ongoing. */
  endedAt: z.nullable(moment),
  /** Only terminals that the caller may see are counted. */
  terminals: z.number(),
  back: z.number(),
  lostPower: z.number(),
  /** How many terminals at the location were working just before; null for callers who may not see all of them. */
  observed: z.nullable(z.number()),
  /** The name of the first terminal. */
  name: z.string(),
  place: z.nullable(z.string()),
  center: z.nullable(z.tuple([z.number(), z.number()])),
  radiusKm: z.nullable(z.number()),
  /** The worst value before the loss, 0 to 1. */
  signalQuality: z.nullable(z.number()),
  obstruction: z.nullable(z.number()),
  /** The vendor's codes. */
  alerts: z.array(z.string()),
  /** The maintenance window in which it began. */
  window: z.nullable(z.string()),
  /** Why terminals restarted, if it was planned and all did so for the same reason. */
  restart: z.nullable(z.enum(['reboot', 'update'])),
  /** Set for an early warning: the terminal still works. */
  warning: z.nullable(WarningFigures),
  acknowledgedAt: z.nullable(moment),
  acknowledgedBy: z.nullable(z.string()),
  note: z.string(),
  snoozedUntil: z.nullable(moment),
})
export type Incident = z.output<typeof Incident>

const IncidentLoss = z.object({
  deviceId: z.string(),
  /** Of the service line; part of the URL of the terminal's page. */
  nickname: z.string(),
  name: z.string(),
  place: z.nullable(z.string()),
  position: z.nullable(z.tuple([z.number(), z.number()])),
  lostAt: moment,
  backAt: z.nullable(moment),
})
export type IncidentLoss = z.output<typeof IncidentLoss>

const IncidentDecision = z.object({
  id: z.string(),
  kind: z.enum(['merge', 'split']),
  at: moment,
  by: z.nullable(z.string()),
  /** How many terminals it concerns. */
  terminals: z.number(),
})
export type IncidentDecision = z.output<typeof IncidentDecision>

/** For this long after it ends, an incident is reevaluated when its data changes, and can be regrouped. */
export const judgedForMs = 3 * 3_600_000

/** Whether users may still change which losses belong to it. */
export const canRegroup = ({ cause, endedAt }: Pick<Incident, 'cause' | 'endedAt'>, nowMs: number) =>
  cause !== 'not observed' && !isWarning(cause) && (endedAt === null || endedAt.getTime() > nowMs - judgedForMs)

const Regrouped = z.object({ message: z.string(), /** The incident to look at now. */ incident: z.string() })

export const incidents = {
  list: route({
    method: 'GET',
    path: '/incidents/',
    access: 'user',
    summary:
      'Incidents of the terminals that the caller may see, newest first; for the next page, `before` is the id of the last one',
    input: z.strictObject({
      show: z.optional(choice(['open', 'all'])),
      /** Only those of an area or the whole fleet, and time that was not observed. */
      widespread: z.optional(flag),
      /** Only incidents of this line: its nickname, its number or a kit number. */
      terminal: z.optional(text(100)),
      before: z.optional(id),
      /** As they were at that time, with causes as known today. */
      at: At,
      limit: z.optional(wholeNumber(1, 200)),
    }),
    output: z.object({
      /** Outages only; early warnings are counted separately. */
      openCount: z.number(),
      warningCount: z.number(),
      incidents: z.array(Incident),
      /** Maintenance windows of the same terminals that are running now. */
      maintenance: z.array(z.object({ id: z.string(), name: z.string(), until: moment })),
    }),
  }),
  get: route({
    method: 'GET',
    path: '/incidents/:id/',
    access: 'user',
    summary: 'An incident with its terminals',
    input: z.strictObject({
      id,
      /** As it was at that time, with its cause as known today. */
      at: At,
    }),
    output: z.object({
      incident: Incident,
      /** The id of `incident` if the requested one was merged into it. */
      mergedInto: z.nullable(z.string()),
      /** The terminal of an early warning, which has no losses. */
      terminal: z.nullable(z.object({ nickname: z.string(), name: z.string() })),
      losses: z.array(IncidentLoss),
      /** Not all losses are listed. */
      isCut: z.boolean(),
      /** Manual regroupings, newest first; for administrators only. */
      decisions: z.array(IncidentDecision),
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
  merge: route({
    method: 'POST',
    path: '/incidents/:id/merge/',
    access: 'admin',
    summary: 'Makes other incidents a part of this one',
    input: z.strictObject({ id, incidents: z.array(id).check(z.minLength(1), z.maxLength(50)) }),
    output: Regrouped,
  }),
  split: route({
    method: 'POST',
    path: '/incidents/:id/split/',
    access: 'admin',
    summary: 'Takes terminals, by device id, out of an incident into one of their own',
    input: z.strictObject({ id, terminals: z.array(text(100)).check(z.minLength(1), z.maxLength(1000)) }),
    output: Regrouped,
  }),
  undo: route({
    method: 'POST',
    path: '/incidents/:id/undo/',
    access: 'admin',
    summary: 'Takes back a merge or a split of this incident',
    input: z.strictObject({ id, decision: id }),
    output: Regrouped,
  }),
}
