import type { Condition, UsageEvent, WarningEvent } from './fleet-event.ts'
import type { NewsKind } from './incident-news.ts'

export interface Change {
  terminalId: number
  lineId: number
  after: Condition
  sinceMs: number
  /** When the terminal last went down. */
  lostAtMs: number
  /** The incident that its outage is part of; null if none. */
  incidentId: string | null
  /** It became known long after it happened. */
  isLate: boolean
  /** It changes so often that the next change must last longer before it is reported. */
  isUnstable: boolean
}

export type Usage = Pick<UsageEvent, 'subject' | 'lineIds' | 'percent' | 'usedGb' | 'limitGb'>

export type PlannedWarning = Pick<WarningEvent, 'terminalId' | 'lineId' | 'incidentId'>

/** One message, on whatever channel it is sent. */
export interface Notice {
  atMs: number
  changes: Change[]
  /** The incidents that the changes belong to, and what to say about them. */
  incidents: { id: string; kind: NewsKind; terminals: number }[]
  usage: Usage[]
  /** Early warnings that start; their end is not reported. A notice queued by an older version has none. */
  warnings?: PlannedWarning[] | undefined
  /** The last text of that day. */
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
  /** When it will have lasted long enough; null if there is nothing to report. */
  dueMs: number | null
  isSettled: boolean
  /** Its outage joined an incident that the user knows about, and no message has named it. */
  hasJoined: boolean
  /** It is back, and waits for the other terminals of its incident until `dueMs`. */
  isWaiting: boolean
  notifiedAtMs: number[]
  /** It was reported too often. Changes must last longer to be reported, until one has lasted that long. */
  isUnstable: boolean
  /** It is due when a maintenance window ends. */
  isHeld?: boolean | undefined
}

/** What is pending between two runs. Plain data, because it is stored in the database as JSON. */
export interface State {
  terminals: Record<string, Watched>
  usage: Usage[]
  /** Each is due when the maintenance of its terminal ends. A state stored by an older version has none. */
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
  // Warnings that are due are sent with the next message.
  if (state.sendAtMs === null) for (const { dueMs } of state.warnings ?? []) next = Math.min(next, dueMs)
  return next
}
