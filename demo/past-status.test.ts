import { expect, test } from 'vitest'
import { toStatusRow } from '#server/telemetry/observe-terminals.ts'
import { buildFleet } from '#simulator/fleet.ts'
import { buildBatches, buildSample } from './history-batches.ts'
import { buildStatusRows, planStatus } from './past-status.ts'

const beganMs = Date.UTC(2026, 10, 15, 12)

test('the rows of the status history show the same statuses as those of the telemetry', () => {
  const fleet = buildFleet(1959, [40])
  const terminals = (fleet.accounts[0]?.terminals ?? []).map((terminal, index) => ({ terminal, terminalId: index }))
  const piece = { fromMs: beganMs - 5 * 86_400_000, toMs: beganMs, stepMs: 300_000 }
  const complete = [...buildBatches(fleet, terminals, piece)].flatMap(({ rows }) => rows)
  for (const { terminal, terminalId } of terminals)
    expect(buildStatusRows(fleet, terminal, piece).map(toStatusRow)).toEqual(
      complete[terminalId]?.samples.map(toStatusRow),
    )
})

test('30 days are planned without a gap, the newest first', () => {
  const [newest, oldest] = planStatus(beganMs)
  expect(newest).toMatchObject({ fromMs: oldest?.toMs, toMs: beganMs })
  expect(oldest?.fromMs).toBe(beganMs - 30 * 86_400_000)
})

test('the last row before a terminal stops reporting has the values of that moment', () => {
  const fleet = buildFleet(1959, [40])
  const piece = { fromMs: beganMs - 5 * 86_400_000, toMs: beganMs, stepMs: 300_000 }
  let stops = 0
  for (const terminal of fleet.terminals) {
    const rows = buildStatusRows(fleet, terminal, piece)
    for (const [index, row] of rows.entries()) {
      if (rows[index + 1]?.atMs === row.atMs + piece.stepMs) continue
      expect(row).toEqual(buildSample(fleet, terminal, row.atMs))
      stops++
    }
  }
  expect(stops).toBeGreaterThan(40)
})
