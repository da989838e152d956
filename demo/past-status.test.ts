import { expect, test } from 'vitest'
import { toStatusRow } from '#server/telemetry/observe-terminals.ts'
import { type Edge, statusAfterRow, statusLimits, type TerminalState } from '#server/telemetry/status.ts'
import { createChanges } from '#simulator/changes.ts'
import { buildFleet, type Fleet } from '#simulator/fleet.ts'
import { type AbsenceCause, getPresence } from '#simulator/presence.ts'
import { SLOT_MS } from '#simulator/reading.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { buildBatches, buildSample } from './history-batches.ts'
import { buildRowBefore, buildStatusRows, STEP_MS } from './past-status.ts'

const beganMs = Date.UTC(2026, 10, 15, 12)

const findEdges = (samples: readonly TerminalSample[]) => {
  const edges: Edge[] = []
  let state: TerminalState | null = null
  const feedTimeBetween = (fromMs: number, toMs: number) => toMs - fromMs
  for (const sample of samples) {
    const step = statusAfterRow(state, toStatusRow(sample), feedTimeBetween, statusLimits)
    state = step.state
    edges.push(...step.edges)
  }
  return edges
}

const toPiece = (fromMs: number, toMs: number) => ({
  fromMs: Math.floor(fromMs / STEP_MS) * STEP_MS,
  toMs,
  stepMs: STEP_MS,
})

/** The newest absence with this cause, with some hours around it. */
const findAbsence = (fleet: Fleet, cause: AbsenceCause) => {
  const changes = createChanges()
  for (let atMs = beganMs; atMs > beganMs - 60 * 86_400_000; atMs -= 90_000)
    for (const terminal of fleet.terminals) {
      const presence = getPresence(fleet, changes, terminal, atMs)
      if (!presence.reports && presence.cause === cause && presence.sinceMs > atMs - 86_400_000)
        return { terminal, ...toPiece(presence.sinceMs - 4 * 3_600_000, atMs + 4 * 3_600_000) }
    }
  throw new Error(`There was no ${cause}.`)
}

test.each<AbsenceCause>(['turn', 'power cut', 'reboot', 'outage'])(
  'the rows of the status history show a %s as all rows of the telemetry do, with the values around it',
  (cause) => {
    const fleet = buildFleet(1959, [40])
    const { terminal, ...piece } = findAbsence(fleet, cause)
    const [batch] = buildBatches(fleet, [{ terminal, terminalId: 1 }], { ...piece, stepMs: SLOT_MS })
    const complete = batch?.rows[0]?.samples ?? []
    const rows = buildStatusRows(fleet, terminal, piece)
    const edges = findEdges(complete)
    expect(findEdges(rows)).toEqual(edges)
    expect(rows.length).toBeLessThan(complete.length / 3)
    for (const { atMs } of edges.slice(1)) {
      const findAround = (samples: readonly TerminalSample[]) => {
        const next = samples.findIndex((sample) => sample.atMs >= atMs)
        return samples.slice(next - 1, next + 1)
      }
      expect(findAround(rows)).toEqual(findAround(complete))
    }
    expect(rows.at(-1)).toEqual(complete.at(-1))
  },
)

test('a terminal that is away when its history begins has the row before', () => {
  const fleet = buildFleet(1959, [400])
  const piece = { fromMs: beganMs - 86_400_000, toMs: beganMs, stepMs: STEP_MS }
  let away = 0
  for (const terminal of fleet.terminals) {
    const [row] = buildRowBefore(fleet, terminal, piece)
    const [first] = buildStatusRows(fleet, terminal, piece)
    if (first?.atMs === piece.fromMs) expect(row).toBeUndefined()
    if (row === undefined) continue
    away++
    expect(row.atMs).toBeLessThan(piece.fromMs)
    expect(buildSample(fleet, terminal, row.atMs + SLOT_MS)).toBeNull()
  }
  expect(away).toBeGreaterThan(10)
})
