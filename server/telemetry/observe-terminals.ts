import { isDisabled } from '#contract/terminal-status.ts'
import { getMeasureIndex } from '#starlink/telemetry-measures.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { FeedLimits } from './feed.ts'
import type { TerminalRows } from './stage-samples.ts'
import {
  type FeedTimeBetween,
  isStillOnline,
  type StatusRow,
  statusAfterRow,
  statusAfterSilence,
  type TerminalState,
} from './status.ts'
import type { KnownTerminal, TerminalEdge } from './terminal-states.ts'
import { listMoves, type Move } from './track-points.ts'
import type { NewestTerminal } from './write-newest.ts'

export interface Observed {
  newest: NewestTerminal[]
  edges: TerminalEdge[]
  /** Terminals whose display on a page changes. */
  changedTerminalIds: number[]
  moves: Move[]
  alerts: AlertChange[]
}

export interface AlertChange {
  terminalId: number
  alert: string
  isRaised: boolean
  atMs: number
}

const listAlertChanges = (terminalId: number, before: readonly string[], { alerts, atMs }: TerminalSample) => [
  ...alerts.filter((alert) => !before.includes(alert)).map((alert) => ({ terminalId, alert, isRaised: true, atMs })),
  ...before.filter((alert) => !alerts.includes(alert)).map((alert) => ({ terminalId, alert, isRaised: false, atMs })),
]

interface Observation {
  terminals: readonly TerminalRows[]
  known: ReadonlyMap<number, KnownTerminal>
  extras: ReadonlyMap<string, Record<string, unknown>>
  feedTimeBetween: FeedTimeBetween
  /** If set, the rows are complete up to this time: a terminal without newer rows has been silent. */
  completeUntilMs: number | null
  limits: FeedLimits
}

const PING_DROP = getMeasureIndex('pingDrop')

export const toStatusRow = ({ atMs, values, alerts }: TerminalSample): StatusRow => ({
  atMs,
  lostAllPings: (values[PING_DROP] as number) >= 1,
  disabled: alerts.length > 0 && isDisabled(alerts),
})

/** Computes the changes that the rows of a batch make to the known terminals. */
export const observeTerminals = (observation: Observation): Observed => {
  const { terminals, known, extras, feedTimeBetween, completeUntilMs, limits } = observation
  const observed: Observed = { newest: [], edges: [], changedTerminalIds: [], moves: [], alerts: [] }
  for (const { terminalId, samples } of terminals) {
    const before = known.get(terminalId)
    const edgesBefore = observed.edges.length
    // A copy, because the times of a terminal that stays online are updated in place.
    let state: TerminalState | null = before ? { ...before.state } : null
    const step = (next: ReturnType<typeof statusAfterRow>) => {
      state = next.state
      for (const edge of next.edges) observed.edges.push({ terminalId, ...edge })
    }
    for (const sample of samples) {
      const row = toStatusRow(sample)
      if (state !== null && isStillOnline(state, row, limits)) {
        state.seenAtMs = row.atMs
        state.lastResponseAtMs = row.atMs
      } else step(statusAfterRow(state, row, feedTimeBetween, limits))
    }
    if (completeUntilMs !== null && state !== null)
      step(statusAfterSilence(state, completeUntilMs, (fromMs, toMs) => toMs - fromMs, limits))

    const sample = samples.at(-1)
    const after = state as TerminalState | null
    if (!sample || !after || (before && sample.atMs <= before.state.seenAtMs)) continue
    if (before && (before.alerts.length > 0 || sample.alerts.length > 0))
      observed.alerts.push(...listAlertChanges(terminalId, before.alerts, sample))
    if (before) observed.moves.push(...listMoves(terminalId, samples, before.h3Cell))
    const extra = extras.get(sample.deviceId) ?? null
    observed.newest.push({ terminalId, lastResponseAtMs: after.lastResponseAtMs, sample, extra })
    if (observed.edges.length > edgesBefore || !before || looksDifferent(terminalId, before, sample, limits))
      observed.changedTerminalIds.push(terminalId)
  }
  return observed
}

const looksDifferent = (terminalId: number, before: KnownTerminal, sample: TerminalSample, limits: FeedLimits) =>
  before.alerts.length !== sample.alerts.length ||
  sample.alerts.some((alert) => !before.alerts.includes(alert)) ||
  (sample.h3Cell !== null && sample.h3Cell !== before.h3Cell) ||
  lastSeenStep(terminalId, before.state.seenAtMs, limits) !== lastSeenStep(terminalId, sample.atMs, limits)

// Shifted per terminal, so that a fleet's pages do not all update at the same time.
const lastSeenStep = (terminalId: number, atMs: number, { lastSeenStepMs }: FeedLimits) =>
  Math.floor((atMs + ((terminalId * 7919) % lastSeenStepMs)) / lastSeenStepMs)
