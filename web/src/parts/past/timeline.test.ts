import { expect, test } from 'vitest'
import type { Incident } from '#contract/incidents.ts'
import { findNeighbor, findRange, placeMarks, ranges } from './timeline.ts'

const NOW = Date.UTC(2026, 10, 17, 12)
const HOUR_MS = 3_600_000
const incident = (id: string, fromH: number, toH: number | null) =>
  ({
    id,
    cause: 'network',
    reach: 'terminal',
    terminals: 1,
    startedAt: new Date(NOW - fromH * HOUR_MS),
    openedAt: new Date(NOW - fromH * HOUR_MS),
    endedAt: toH === null ? null : new Date(NOW - toH * HOUR_MS),
  }) as Incident

const incidents = [incident('open', 6, null), incident('short', 13, 12), incident('old', 60, 50)]

test('the slider reaches as far back as the time needs', () => {
  expect(findRange(NOW - 2 * HOUR_MS, NOW).label).toBe('24 h')
  expect(findRange(NOW - 48 * HOUR_MS, NOW).label).toBe('7 d')
  expect(findRange(NOW - 9_000 * HOUR_MS, NOW).label).toBe('30 d')
})

test('marks are in the columns in which there were incidents, and older ones are left out', () => {
  const marks = placeMarks(incidents, ranges[0], NOW, 24)
  expect(marks.map(({ column, worst, count }) => [column, worst.id, count])).toEqual([
    [11, 'short', 1],
    [12, 'short', 1],
    ...[18, 19, 20, 21, 22, 23].map((column) => [column, 'open', 1]),
  ])
})

test('hundreds of incidents at once are one mark with the worst of them', () => {
  const many = Array.from({ length: 200 }, (_, index) => incident(String(index), 13.5, 13.1))
  const planned = { ...incident('planned', 13.5, 13.1), cause: 'planned' as const, reach: 'fleet' as const }
  const area = { ...incident('area', 13.4, 13.2), reach: 'area' as const }
  const marks = placeMarks([planned, ...many, area], ranges[0], NOW, 24)
  expect(marks.map(({ column, worst, count }) => [column, worst.id, count])).toEqual([[10, 'area', 202]])
})

test('steps lead to the incident before and after', () => {
  const MINUTE_MS = 60_000
  const at = NOW - 10 * HOUR_MS
  expect(findNeighbor(incidents, at, 1)).toBe(NOW - 6 * HOUR_MS + MINUTE_MS)
  expect(findNeighbor(incidents, at, -1)).toBe(NOW - 13 * HOUR_MS + MINUTE_MS)
  expect(findNeighbor(incidents, NOW, 1)).toBeUndefined()
})
