import { expect, test } from 'vitest'
import { mapMeasures } from '#contract/measures.ts'
import { findMissing } from './missing.ts'

const MINUTE_MS = 60_000
const span = (fromMin: number, toMin: number) => ({
  from: new Date(fromMin * MINUTE_MS),
  to: new Date(toMin * MINUTE_MS),
})
const at = (...minutes: number[]) =>
  minutes.map((minute) => ({ timestamp: minute * MINUTE_MS, ...mapMeasures(() => 0 as number | null) }))
const period = span(0, 60)

test('a period without values is missing, except for what has another reason', () => {
  expect(findMissing([], { period, stepS: 15, explained: [] })).toEqual([period])
  expect(findMissing([], { period, stepS: 15, explained: [span(-5, 10), span(30, 40), span(35, 38)] })).toEqual([
    span(10, 30),
    span(40, 60),
  ])
  expect(findMissing([], { period, stepS: 15, explained: [span(-5, 90)] })).toEqual([])
})

test('values are missing before, between and after those that are known', () => {
  expect(findMissing(at(11, 13, 15, 31, 33), { period, stepS: 120, explained: [] })).toEqual([
    span(0, 10),
    span(16, 30),
    span(34, 60),
  ])
})

test('samples that measured nothing are missing too', () => {
  const empty = at(11, 13, 15).map(({ timestamp }) => ({ timestamp, ...mapMeasures(() => null) }))
  expect(findMissing(empty, { period, stepS: 120, explained: [] })).toEqual([period])
})

test('a lost sample, and the part of a bucket that has not ended, are not missing', () => {
  const minutes = Array.from({ length: 240 }, (_, index) => index / 4).filter(
    (minute) => minute !== 20 && minute < 58.5,
  )
  expect(findMissing(at(...minutes), { period, stepS: 15, explained: [] })).toEqual([])
  expect(findMissing(at(5, 15, 25, 35), { period, stepS: 600, explained: [] })).toEqual([span(40, 60)])
  expect(findMissing(at(5, 15, 25, 35, 45), { period, stepS: 600, explained: [] })).toEqual([])
})
