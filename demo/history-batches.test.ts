import { expect, test } from 'vitest'
import { buildFleet } from '#simulator/fleet.ts'
import { buildBatches } from './history-batches.ts'
import { planHistory } from './history-plan.ts'

const MAX_ROWS = 2_000
const fleet = buildFleet(1, [12])
const terminals = fleet.terminals.map((terminal, index) => ({ terminal, terminalId: index + 1 }))
// Not on a bucket boundary: the newest piece is the longest.
const plan = planHistory(Date.UTC(2026, 1, 3, 11, 47))
const kinds = [...new Map(plan.map((piece) => [piece.stepMs, piece])).values()]

test.for(kinds.map((piece) => [piece.stepMs / 1000, piece] as const))(
  'a piece of rows every %i s is built in batches of at most as many rows as may be in memory',
  ([, piece]) => {
    const batches = [...buildBatches(fleet, terminals, piece, MAX_ROWS)]
    const sizes = batches.map(({ rows }) => rows.reduce((sum, { samples }) => sum + samples.length, 0))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_ROWS)
    expect(batches.length).toBeGreaterThan(1)
    expect(batches.map(({ isLast }) => isLast)).toEqual([...batches.slice(1).map(() => false), true])
    const written = batches.flatMap(({ rows }) => rows.map(({ terminalId }) => terminalId))
    expect(written).toEqual(terminals.map(({ terminalId }) => terminalId))
  },
)

test('every piece of the plan has fewer rows per terminal than a batch, so that one terminal fits', () => {
  const rows = plan.map(({ fromMs, toMs, stepMs }) => (toMs - fromMs) / stepMs)
  expect(Math.max(...rows)).toBeLessThan(MAX_ROWS)
})

test('a batch is built when it is requested, not before', () => {
  const piece = plan[0] as (typeof plan)[number]
  const huge = Array.from({ length: 1_000_000 }, () => terminals[0] as (typeof terminals)[number])
  const first = buildBatches(fleet, huge, piece, MAX_ROWS).next().value
  expect(first?.rows.length).toBeLessThan(10)
  expect(first?.isLast).toBe(false)
})
