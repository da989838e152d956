import { expect, test } from 'vitest'
import { formatZoom, parseZoom, zoomIn } from './zoom.ts'

const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) })
const period = span('2026-11-15T10:00:00Z', '2026-11-15T13:00:00Z')

test('a part of the period is read as it was written, and cut to the period', () => {
  const part = span('2026-11-15T11:00:00Z', '2026-11-15T11:30:00Z')
  expect(parseZoom(formatZoom(part), period)).toEqual(part)
  expect(parseZoom(formatZoom(span('2026-11-15T09:00:00Z', '2026-11-15T11:00:00Z')), period)).toEqual(
    span('2026-11-15T10:00:00Z', '2026-11-15T11:00:00Z'),
  )
})

test('what is outside, too short or no time at all is no part', () => {
  for (const text of [undefined, '', 'x-y', '5-', formatZoom(span('2026-11-14T10:00:00Z', '2026-11-14T12:00:00Z'))])
    expect(parseZoom(text, period)).toBeUndefined()
  expect(parseZoom(formatZoom(span('2026-11-15T11:00:00Z', '2026-11-15T11:00:10Z')), period)).toBeUndefined()
})

test('keys zoom to half around a moment, within what is shown', () => {
  expect(zoomIn(period, Date.parse('2026-11-15T11:30:00Z'))).toEqual(
    span('2026-11-15T10:45:00Z', '2026-11-15T12:15:00Z'),
  )
  expect(zoomIn(period, Date.parse('2026-11-15T12:59:00Z'))).toEqual(
    span('2026-11-15T11:30:00Z', '2026-11-15T13:00:00Z'),
  )
})
