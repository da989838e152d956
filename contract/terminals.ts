import * as z from 'zod/mini'
import { alertNames, coordinates, flag, looseBoolean, moment } from './codecs.ts'
import { dataBlocks } from './data-block.ts'
import { At, Past } from './past.ts'
import { route } from './route.ts'
import { TerminalStatus } from './terminal-status.ts'
import { text } from './text.ts'

const textOrNull = z.nullable(z.string())
const numberOrNull = z.nullable(z.number())

const listItem = {
  /** Our own id. It does not change when the dish is replaced. */
  id: z.string(),
  deviceID: textOrNull,
  serviceLine: z.string(),
  nickname: z.string(),
  customname: textOrNull,
  status: TerminalStatus,
  alerts: alertNames,
  isMobile: looseBoolean,
  coordinates,
  street: textOrNull,
  city: textOrNull,
  state: textOrNull,
  lastSeen: z.nullable(moment),
  /**
   * The last 24 hours; see contract/heartbeat.ts. The name is short because a list may have 100,000 of them. Null for the past
   * and before the first status.
   */
  h: z.nullish(z.string()),
}

export const TerminalListItem = z.object(listItem)
export type TerminalListItem = z.output<typeof TerminalListItem>

export const TerminalDetailsItem = z.object({
  ...listItem,
  kitnumber: textOrNull,
  serviceName: textOrNull,
  priority_GB: numberOrNull,
  standard_GB: numberOrNull,
  usage_limit_GB: numberOrNull,
  virtual_plan_name: textOrNull,
  pool_current_usage: numberOrNull,
  pool_usage_limit: numberOrNull,
  data_blocks: dataBlocks,
  opt_in_product_id: textOrNull,
  ipv4: textOrNull,
  ipv6_ue: textOrNull,
  ipv6_cpe: textOrNull,
  obstruction: numberOrNull,
  /** Older servers do not send it. */
  signal_quality: z.nullish(z.number()),
  pingdrop: numberOrNull,
  latency: numberOrNull,
  uplink: numberOrNull,
  downlink: numberOrNull,
  clients: numberOrNull,
  /** Absent for users who cannot see metadata. */
  metadata1: z.nullish(z.string()),
  metadata2: z.nullish(z.string()),
  metadata3: z.nullish(z.string()),
})
export type TerminalDetailsItem = z.output<typeof TerminalDetailsItem>

/** The number of the half hour that each `h` ends with; absent for the past. */
const halfHour = z.optional(z.number())

/**
 * The events of the live stream. A revision is `epoch.count`, and counts increase within an epoch. Changes lead from `since` to
 * `revision`. A page whose revision is before `since` or from another epoch has missed something and refetches.
 */
export const LiveEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('changes'),
    since: z.string(),
    revision: z.string(),
    halfHour,
    /** Whole terminals, because they are new or changed more than once; with details if `details` was requested. */
    terminals: z.array(TerminalListItem),
    /** The changed fields of terminals that the page already has. */
    changes: z.array(z.looseObject({ id: z.string() })),
    removed: z.array(z.string()),
  }),
  /** Sent when the stream opens and as a heartbeat: seconds since the newest telemetry, null before the first. */
  z.object({ kind: z.literal('feed'), revision: z.string(), ageS: numberOrNull }),
  /** There are new entries in the list of events. */
  z.object({ kind: z.literal('events') }),
])
export type LiveEvent = z.output<typeof LiveEvent>

export const terminals = {
  list: route({
    method: 'GET',
    path: '/terminals/',
    access: 'user',
    summary: 'The terminals the caller may see, now or as they were at a time',
    input: z.strictObject({ at: At }),
    output: z.object({
      data: z.array(TerminalListItem),
      revision: z.optional(z.string()),
      halfHour,
      past: z.optional(Past),
    }),
  }),
  details: route({
    method: 'GET',
    path: '/terminals/details/',
    access: 'user',
    summary: 'The terminals the caller may see, with usage, addresses and newest values, now or as they were at a time',
    input: z.strictObject({ at: At }),
    output: z.object({
      data: z.array(TerminalDetailsItem),
      revision: z.optional(z.string()),
      halfHour,
      past: z.optional(Past),
    }),
  }),
  live: route({
    method: 'GET',
    path: '/live/',
    access: 'user',
    summary: 'Changes of the terminals as they happen; the data of each event is one object of this shape',
    input: z.strictObject({ since: z.optional(text(100)), details: z.optional(flag) }),
    output: LiveEvent,
    media: 'text/event-stream',
  }),
}
