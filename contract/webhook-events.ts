import * as z from 'zod/mini'
import { commandKinds, commandStates } from './command-receipt.ts'
import { Role } from './identity.ts'
import { incidentCauses, incidentReaches } from './incident-cause.ts'
import { WarningFigures } from './warning-figures.ts'
import { PING, type WebhookEventType } from './webhook-event-types.ts'

/** Incremented when a field changes its meaning or is removed. Fields are added without a new version. */
export const WEBHOOK_VERSION = 1

const time = z.iso.datetime()

const Terminal = z.object({
  /** Null for a service line without a dish. */
  deviceId: z.nullable(z.string()),
  kitNumber: z.nullable(z.string()),
  serviceLine: z.nullable(z.string()),
  nickname: z.nullable(z.string()),
  /** The display name. */
  name: z.string(),
  group: z.nullable(z.string()),
  /** The URL of its page; null if the portal's address is unknown. */
  link: z.nullable(z.string()),
})

const condition = z.enum(['online', 'offline', 'no data', 'disabled'])

const StatusChanged = z.object({ terminal: Terminal, status: condition, previousStatus: condition, since: time })

const Alert = z.object({
  terminal: Terminal,
  alert: z.object({
    /** The vendor's code. */
    code: z.string(),
    title: z.string(),
    severity: z.enum(['critical', 'warning', 'info']),
    meaning: z.string(),
    action: z.string(),
  }),
})

const IncidentData = z.object({
  incident: z.object({
    id: z.string(),
    title: z.string(),
    cause: z.enum(incidentCauses),
    reach: z.enum(incidentReaches),
    /** 0 to 1. */
    confidence: z.number(),
    startedAt: time,
    /** Null while it is ongoing. */
    endedAt: z.nullable(time),
    /** Only terminals in the webhook's scope are counted. */
    terminals: z.number(),
    back: z.number(),
    place: z.nullable(z.string()),
    /** Set for an early warning: the terminal still works. */
    warning: z.nullable(WarningFigures),
    acknowledgedAt: z.nullable(time),
    snoozedUntil: z.nullable(time),
    /** The incident that this one was merged into, which the other fields describe. */
    mergedInto: z.nullable(z.string()),
    link: z.nullable(z.string()),
  }),
})

const Pool = z.object({
  id: z.string(),
  name: z.string(),
  group: z.nullable(z.string()),
  usedGb: z.number(),
  limitGb: z.number(),
  behavior: z.string(),
  cycleStart: z.string(),
  cycleEnd: z.string(),
  link: z.nullable(z.string()),
})
const PoolData = z.object({ pool: Pool })

const Threshold = z.object({
  percent: z.number(),
  usedGb: z.number(),
  limitGb: z.number(),
  /** One of the two is set. */
  terminal: z.nullable(Terminal),
  pool: z.nullable(Pool),
})

const CommandFinished = z.object({
  terminal: Terminal,
  command: z.object({
    id: z.string(),
    kind: z.enum(commandKinds),
    desired: z.nullable(z.string()),
    state: z.enum(commandStates),
    problem: z.nullable(z.string()),
    requestedAt: time,
  }),
})

const User = z.object({
  id: z.string(),
  /** Null if the user's data was erased. */
  email: z.nullable(z.string()),
  name: z.nullable(z.string()),
  role: z.nullable(Role),
  group: z.nullable(z.string()),
})
const UserData = z.object({ user: User })

const PingData = z.object({ message: z.string() })

const terminal: z.output<typeof Terminal> = {
  deviceId: 'ut01000000-00000000-00a1b2c3',
  kitNumber: 'KIT00012345',
  serviceLine: 'SL-1000-20-30',
  nickname: 'harbor-school',
  name: 'Harbor School',
  group: 'north',
  link: 'https://portal.example.com/terminal/harbor-school',
}
const alert: z.output<typeof Alert> = {
  terminal,
  alert: {
    code: 'mast_not_vertical',
    title: 'Mast is not vertical',
    severity: 'warning',
    meaning: 'The dish is tilted and may lose satellites.',
    action: 'Set the mast upright and tighten it.',
  },
}
const opened: z.output<typeof IncidentData> = {
  incident: {
    id: '5f0c6a1e-3b0a-4c53-9d1c-0b7f0c7b2a11',
    title: 'Network outage around Sitka',
    cause: 'network',
    reach: 'area',
    confidence: 0.9,
    startedAt: '2026-11-17T08:14:05.000Z',
    endedAt: null,
    terminals: 12,
    back: 0,
    place: 'Sitka',
    warning: null,
    acknowledgedAt: null,
    snoozedUntil: null,
    mergedInto: null,
    link: 'https://portal.example.com/incidents/5f0c6a1e-3b0a-4c53-9d1c-0b7f0c7b2a11',
  },
}
const pool: z.output<typeof Pool> = {
  id: '7',
  name: 'Schools',
  group: 'north',
  usedGb: 800.5,
  limitGb: 1000,
  behavior: 'Hard Cap',
  cycleStart: '2026-11-01',
  cycleEnd: '2026-12-01',
  link: 'https://portal.example.com/plan-manager',
}
const user: z.output<typeof User> = {
  id: '42',
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'user',
  group: 'north',
}

/** The data of each event type, with an example. */
export const webhookEvents = {
  'terminal.status_changed': {
    data: StatusChanged,
    example: { terminal, status: 'offline', previousStatus: 'online', since: '2026-11-17T08:14:05.000Z' },
  },
  'terminal.alert_raised': { data: Alert, example: alert },
  'terminal.alert_cleared': { data: Alert, example: alert },
  'incident.opened': { data: IncidentData, example: opened },
  'incident.changed': {
    data: IncidentData,
    example: { incident: { ...opened.incident, back: 5, acknowledgedAt: '2026-11-17T08:20:00.000Z' } },
  },
  'incident.resolved': {
    data: IncidentData,
    example: { incident: { ...opened.incident, back: 12, endedAt: '2026-11-17T09:02:41.000Z' } },
  },
  'usage.threshold_reached': {
    data: Threshold,
    example: { percent: 80, usedGb: 800.5, limitGb: 1000, terminal: null, pool },
  },
  'pool.created': { data: PoolData, example: { pool } },
  'pool.changed': { data: PoolData, example: { pool } },
  'pool.limit_reached': { data: PoolData, example: { pool: { ...pool, usedGb: 1000.2 } } },
  'command.finished': {
    data: CommandFinished,
    example: {
      terminal,
      command: {
        id: '311',
        kind: 'reboot',
        desired: null,
        state: 'seen',
        problem: null,
        requestedAt: '2026-11-17T08:10:00.000Z',
      },
    },
  },
  'user.created': { data: UserData, example: { user } },
  'user.changed': { data: UserData, example: { user } },
  'user.deleted': { data: UserData, example: { user } },
  [PING]: { data: PingData, example: { message: 'This is a test.' } },
} satisfies Record<WebhookEventType | typeof PING, { data: z.ZodMiniType; example: unknown }>

export type WebhookData = { [Type in keyof typeof webhookEvents]: z.output<(typeof webhookEvents)[Type]['data']> }
export type SentEventType = keyof WebhookData

/** The body of a webhook in the standard format. */
// @__NO_SIDE_EFFECTS__
export function webhookBody<Type extends SentEventType>(type: Type) {
  return z.object({
    type: z.literal(type),
    version: z.literal(WEBHOOK_VERSION),
    /** When it happened; the time of sending is in the header `webhook-timestamp`. */
    timestamp: time,
    data: webhookEvents[type].data,
  })
}
