import type { Condition, UsageEvent, WarningEvent } from './fleet-event.ts'
import type { NewsKind } from './incident-news.ts'

export interface Change {
  terminalId: number
  lineId: number
  after: Condition
  sinceMs: number
  /** When it last stopped working. */
  lostAtMs: number
  /** The incident that its loss is part of; null while it is of none. */
  incidentId: string | null
  /** We learned of it long after it happened. */
  isLate: boolean
  /** It changes so often that the next change has to last longer before it is reported. */
  isUnstable: boolean
}

export type Usage = Pick<UsageEvent, 'subject' | 'lineIds' | 'percent' | 'usedGb' | 'limitGb'>

export type PlannedWarning = Pick<WarningEvent, 'terminalId' | 'lineId' | 'incidentId'>

/** One message, whatever channel sends it. */
export interface Notice {
  atMs: number
  changes: Change[]
  /** What the changes that are part of an incident say about it. */
  incidents: { id: string; kind: NewsKind; terminals: number }[]
  usage: Usage[]
  /** Early warnings that begin; that one is over is no news. A notice that an older version queued has none. */
  warnings?: PlannedWarning[] | undefined
  /** No further text is sent that day. */
  isLastOfDay: boolean
}

export interface Watched {
  lineId: number
  notified: Condition
  now: Condition
  sinceMs: number
  lostAtMs: number
  incidentId: string | null
  isLate: boolean
  /** When it will have lasted long enough; null when there is nothing to report. */
  dueMs: number | null
  isSettled: boolean
  /** Its loss joined an incident that the user knows of, and no message has named it. */
  hasJoined: boolean
  /** It is back, and waits for the others of its incident until `dueMs`. */
  isWaiting: boolean
  notifiedAtMs: number[]
  /** It was reported too often. A change has to last longer until one has done so. */
  isUnstable: boolean
  /** It is due when a maintenance window ends. */
  isHeld?: boolean | undefined
}

/** What is pending between two runs. Plain data, because it is stored in the database as JSON. */
export interface State {
  terminals: Record<string, Watched>
  usage: Usage[]
  /** Each is due when the maintenance of its terminal ends. A state that an older version stored has none. */
  warnings?: (PlannedWarning & { dueMs: number })[] | undefined
  sendAtMs: number | null
  day: string
  sentOfDay: number
}

export const emptyState = (): State => ({ terminals: {}, usage: [], sendAtMs: null, day: '', sentOfDay: 0 })

/** The next time at which something is due without a new event. */
export const findNextMoment = (state: State): number => {
  let next = state.sendAtMs ?? Number.POSITIVE_INFINITY
  for (const { dueMs } of Object.values(state.terminals)) if (dueMs !== null && dueMs < next) next = dueMs
  // Those that are due are sent with the next message.
  if (state.sendAtMs === null) for (const { dueMs } of state.warnings ?? []) next = Math.min(next, dueMs)
  return next
}
