import { expect, test } from 'vitest'
import { advanceFigures, FIGURE_DAYS, type StoredFigures } from './figures.ts'

const row = (day: number, obstruction: number) => ({ day, obstruction, signalQuality: 0.97 })
const present = { restartCount: 0, isAbroad: false }

test('days come one after the other, and those without rows are unknown', () => {
  const first = advanceFigures(null, [row(99, 0.1), row(100, 0.2)], present, 100)
  expect(first.obstruction.slice(-3)).toEqual([null, 0.1, 0.2])
  expect(first.obstruction).toHaveLength(FIGURE_DAYS)
  const later = advanceFigures(first, [row(103, 0.5)], present, 103)
  expect(later.obstruction.slice(-5)).toEqual([0.1, 0.2, null, null, 0.5])
  expect(later.obstruction).toHaveLength(FIGURE_DAYS)
})

test('after a long pause nothing of before is left', () => {
  const first = advanceFigures(null, [row(100, 0.2)], present, 100)
  expect(advanceFigures(first, [row(500, 0.3)], present, 500).obstruction.filter((value) => value !== null)).toEqual([
    0.3,
  ])
})

test('restarts are counted by the difference of a day', () => {
  const first = advanceFigures(null, [], { ...present, restartCount: 7 }, 100)
  const next = advanceFigures(first, [], { ...present, restartCount: 9 }, 101)
  expect(next.restarts.slice(-2)).toEqual([null, 2])
  // The counter begins anew, as after a dish was replaced.
  expect(advanceFigures(next, [], { ...present, restartCount: 1 }, 102).restarts.at(-1)).toBe(0)
})

test('weeks have the medians of their days, whether these came at once or one by one', () => {
  const all = Array.from({ length: 35 }, (_, index) => row(70 + index, index))
  const atOnce = advanceFigures(null, all, present, 104)
  let oneByOne: StoredFigures | null = null
  for (const each of all) oneByOne = advanceFigures(oneByOne, [each], present, each.day)
  expect(atOnce.weeklyObstruction).toEqual([3, 10, 17, 24, 31])
  expect(oneByOne?.weeklyObstruction.slice(-5)).toEqual([3, 10, 17, 24, 31])
})

test('the first day abroad stays until it is back', () => {
  const left = advanceFigures(null, [], { ...present, isAbroad: true }, 100)
  expect(advanceFigures(left, [], { ...present, isAbroad: true }, 105).abroadSince).toBe(100)
  expect(advanceFigures(left, [], present, 106).abroadSince).toBeNull()
})
