import { expect, test } from 'vitest'
import type { AvailabilitySpan } from '#contract/availability.ts'
import { selectSpans } from './History.tsx'
import { describeSince } from './since.ts'

const nowMs = Date.parse('2026-11-15T18:00:00Z')
const knownFrom = new Date('2026-10-15T00:00:00Z')
const span = (kind: AvailabilitySpan['kind'], from: string, until = '2026-11-15T18:00:00Z'): AvailabilitySpan => ({
  kit: 'KIT1',
  kind,
  from: new Date(from),
  until: new Date(until),
  incident: null,
  window: null,
})
const describe = (spans: AvailabilitySpan | AvailabilitySpan[], incident?: Parameters<typeof describeSince>[1]) =>
  describeSince([spans].flat(), incident, { knownFrom, nowMs })

// The tests run in Anchorage.
test('says since when, and why as far as it is known', () => {
  const down = span('down', '2026-11-15T11:14:00Z')
  expect(describe(down, { cause: 'power', confidence: 0.95 })).toBe('since 02:14, power was lost')
  expect(describe(down, { cause: 'power', confidence: 0.5 })).toBe('since 02:14, possibly power was lost')
  expect(describe(down, { cause: 'unknown', confidence: 1 })).toBe('since 02:14')
  expect(describe(down)).toBe('since 02:14')
})

test('a terminal that works has no cause, and what began before anything is known has no time', () => {
  // Yesterday evening, when it is 09:00.
  expect(describe(span('up', '2026-11-15T05:14:00Z'))).toMatch(/^since .*Nov 14.* 20:14/)
  expect(describe(span('up', '2026-11-15T11:14:00Z'), { cause: 'power', confidence: 1 })).toBe('since 02:14')
  expect(describe(span('up', '2026-11-10T11:14:00Z'))).toMatch(/^since .*Nov.* 02:14/)
  expect(describe(span('up', '2026-10-15T00:00:00Z'))).toBeUndefined()
  expect(describe([])).toBeUndefined()
})

test('a time without data is no change, and planned downtime is no end of an outage', () => {
  const now = span('down', '2026-11-14T12:00:00Z')
  const gap = span('not observed', '2026-11-14T11:50:00Z', '2026-11-14T12:00:00Z')
  const before = span('down', '2026-11-10T11:14:00Z', '2026-11-14T11:50:00Z')
  const up = span('up', '2026-11-09T00:00:00Z', '2026-11-10T11:14:00Z')
  expect(describe([now, gap, before, up])).toBe('since Nov 10, 02:14')
  expect(describe([now, gap, up])).toBe('since Nov 14, 03:00')
  expect(describe([now, { ...gap, kind: 'planned' }, before, up])).toBe('since Nov 10, 02:14')
  expect(describe([{ ...up, from: now.from }, { ...gap, kind: 'planned' }, up])).toBe('since Nov 14, 03:00')
  expect(describe([now, gap, span('down', '2026-10-15T00:00:00Z')])).toBeUndefined()
  expect(describe([{ ...up, from: now.from }, gap, { ...before, kind: 'up' }, { ...up, kind: 'down' }])).toBe(
    'since Nov 10, 02:14',
  )
})

test('selects the spans of one terminal of a line, and all if it has none', () => {
  const own = span('up', '2026-11-15T17:00:00Z')
  const spans = [own, { ...span('down', '2026-11-15T10:00:00Z'), kit: 'KIT2' }]
  expect(selectSpans(spans, { kitnumber: 'KIT1' })).toEqual([own])
  expect(selectSpans(spans, { kitnumber: 'KIT3' })).toEqual(spans)
})
