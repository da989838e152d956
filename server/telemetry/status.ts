import type { TerminalStatus } from '#contract/terminal-status.ts'

export interface StatusLimits {
  /** How often the vendor reports a terminal. */
  rowIntervalMs: number
  /** Terminals drop out of responses temporarily without being offline, so going offline takes this much silence. */
  offlineAfterMs: number
  noDataAfterMs: number
  /** Two rows within this time make a terminal online again. */
  freshWithinMs: number
  /** A feed with empty responses may only be late. After this long its silence counts. */
  emptyFeedTrustedAfterMs: number
}

export const statusLimits: StatusLimits = {
  rowIntervalMs: 15_000,
  offlineAfterMs: 180_000,
  noDataAfterMs: 86_400_000,
  freshWithinMs: 60_000,
  // The vendor has been half an hour late without losing anything.
  emptyFeedTrustedAfterMs: 40 * 60_000,
}

export interface TerminalState {
  status: TerminalStatus
  disabled: boolean
  sinceMs: number
  /** The newest row of any kind. */
  seenAtMs: number
  /** The newest row that did not lose every ping. */
  lastResponseAtMs: number | null
}

/** The terminal has this status from `atMs` on. */
export interface Edge {
  atMs: number
  status: TerminalStatus
  disabled: boolean
}

/** Whether a terminal gives service. */
export const isWorking = ({ status, disabled }: Pick<Edge, 'status' | 'disabled'>) => status === 'online' && !disabled

export interface StatusRow {
  atMs: number
  lostAllPings: boolean
  disabled: boolean
}

/** For how much of a period the feed reported any terminals. Time while it is late or silent does not count. */
export type FeedTimeBetween = (fromMs: number, toMs: number) => number

const NO_EDGES: readonly Edge[] = Object.freeze([])

interface Step {
  state: TerminalState
  edges: readonly Edge[]
}

/** Applies a row. Rows arrive in chronological order; one that is not newer than the last changes nothing. */
export const statusAfterRow = (
  previous: TerminalState | null,
  row: StatusRow,
  feedTimeBetween: FeedTimeBetween,
  limits: StatusLimits,
): Step => {
  const hasResponse = !row.lostAllPings
  if (previous === null) return firstState(row, hasResponse)
  if (row.atMs <= previous.seenAtMs) return { state: previous, edges: NO_EDGES }

  const silence = goneSilent(previous, row.atMs, feedTimeBetween, limits)
  const before = silence ?? previous.status
  const status = hasResponse
    ? statusAfterResponse(before, previous, row, limits)
    : before === 'no data'
      ? 'offline'
      : before
  const edges: Edge[] = []
  let sinceMs = previous.sinceMs
  const turn = (atMs: number, next: TerminalStatus, disabled: boolean) => {
    sinceMs = Math.max(atMs, sinceMs + 1)
    edges.push({ atMs: sinceMs, status: next, disabled })
  }
  if (silence) turn(firstMissedRow(previous, limits), silence, previous.disabled)
  if (status !== before || row.disabled !== previous.disabled) turn(row.atMs, status, row.disabled)
  return {
    state: {
      status,
      disabled: row.disabled,
      sinceMs,
      seenAtMs: row.atMs,
      lastResponseAtMs: hasResponse ? row.atMs : previous.lastResponseAtMs,
    },
    edges: edges.length === 0 ? NO_EDGES : edges,
  }
}

/** Whether a row only confirms that an online terminal is still online, so that just its times change. */
export const isStillOnline = (
  state: TerminalState,
  { atMs, lostAllPings, disabled }: StatusRow,
  limits: StatusLimits,
) =>
  state.status === 'online' &&
  disabled === state.disabled &&
  !lostAllPings &&
  atMs > state.seenAtMs &&
  atMs - getLastResponseMs(state) < limits.offlineAfterMs

/** Applies a terminal's silence up to `feedAtMs`, the feed's present. */
export const statusAfterSilence = (
  previous: TerminalState,
  feedAtMs: number,
  feedTimeBetween: FeedTimeBetween,
  limits: StatusLimits,
): Step => {
  const edges: Edge[] = []
  let { status, sinceMs } = previous
  const turn = (atMs: number, next: TerminalStatus) => {
    sinceMs = Math.max(atMs, sinceMs + 1)
    status = next
    edges.push({ atMs: sinceMs, status: next, disabled: previous.disabled })
  }
  if (goneSilent(previous, feedAtMs, feedTimeBetween, limits)) turn(firstMissedRow(previous, limits), 'offline')
  if (status === 'offline' && feedAtMs - previous.seenAtMs >= limits.noDataAfterMs)
    turn(previous.seenAtMs + limits.noDataAfterMs, 'no data')
  return { state: { ...previous, status, sinceMs }, edges }
}

const firstState = (row: StatusRow, hasResponse: boolean): Step => {
  const status = hasResponse ? 'online' : 'offline'
  const { atMs, disabled } = row
  return {
    state: { status, disabled, sinceMs: atMs, seenAtMs: atMs, lastResponseAtMs: hasResponse ? atMs : null },
    edges: [{ atMs, status, disabled }],
  }
}

const statusAfterResponse = (
  before: TerminalStatus,
  { lastResponseAtMs }: TerminalState,
  row: StatusRow,
  limits: StatusLimits,
): TerminalStatus => {
  if (before === 'online') return 'online'
  return lastResponseAtMs !== null && row.atMs - lastResponseAtMs <= limits.freshWithinMs ? 'online' : before
}

const getLastResponseMs = ({ lastResponseAtMs, sinceMs }: TerminalState) => lastResponseAtMs ?? sinceMs

const firstMissedRow = (state: TerminalState, { rowIntervalMs }: StatusLimits) =>
  getLastResponseMs(state) + rowIntervalMs

const goneSilent = (
  state: TerminalState,
  untilMs: number,
  feedTimeBetween: FeedTimeBetween,
  { offlineAfterMs }: StatusLimits,
): 'offline' | null => {
  if (state.status !== 'online') return null
  const fromMs = getLastResponseMs(state)
  if (untilMs - fromMs < offlineAfterMs) return null
  return feedTimeBetween(fromMs, untilMs) >= offlineAfterMs ? 'offline' : null
}
