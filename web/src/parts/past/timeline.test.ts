import { expect, test } from 'vitest'
import type { Incident } from '#contract/incidents.ts'
import { findNeighbor, findRange, placeMarks, ranges } from './timeline.ts'

const NOW = Date.UTC(2026, 10, 17, 12)
const HOUR_MS = 3_600_000
const incident = (id: string, fromH: number, toH: number | null) =>
  ({
    id,
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

test('marks are where the incidents were, and older ones are left out', () => {
  const marks = placeMarks(incidents, ranges[0], NOW)
  expect(marks.map(({ id, from, to }) => [id, from, to])).toEqual([
    ['open', 0.75, 1],
    ['short', 11 / 24, 0.5],
  ])
})

test('steps lead to the incident before and after', () => {
  const MINUTE_MS = 60_000
  const at = NOW - 10 * HOUR_MS
  expect(findNeighbor(incidents, at, 1)).toBe(NOW - 6 * HOUR_MS + MINUTE_MS)
  expect(findNeighbor(incidents, at, -1)).toBe(NOW - 13 * HOUR_MS + MINUTE_MS)
  expect(findNeighbor(incidents, NOW, 1)).toBeUndefined()
})
