import { expect, test } from 'vitest'
import { describeStrip, drawStrip, type KindSpan, measureKinds } from './availability-strip.ts'

const HOUR_MS = 3_600_000
const span = (kind: KindSpan['kind'], fromHour: number, toHour: number): KindSpan => ({
  kind,
  fromMs: fromHour * HOUR_MS,
  toMs: toHour * HOUR_MS,
})
const day = { fromMs: 0, toMs: 24 * HOUR_MS }
const spans = [span('not observed', -5, 1), span('up', 1, 6), span('down', 6, 6.001), span('up', 6.001, 24)]

test('measures the parts of spans that are within a period', () => {
  const seconds = measureKinds(spans, { fromMs: 0, toMs: 6 * HOUR_MS })
  expect(seconds).toEqual({ up: 5 * 3600, down: 0, planned: 0, 'not observed': 3600 })
})

test('describes what was not up', () => {
  expect(describeStrip(measureKinds(spans, day))).toBe('4 s down, 1 h not observed')
  expect(describeStrip(measureKinds([span('up', 0, 24)], day))).toBe('up')
})

test('draws within the period, with short outages wide enough to be seen', () => {
  const { up, down, planned } = drawStrip(spans, day)
  expect(down).toBe('M250 0H251.5V12H250Z')
  expect(up).toMatch(/^M41\.67 8H250V12H41\.67Z/)
  expect(planned).toBe('')
})
