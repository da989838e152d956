import { expect, test } from 'vitest'
import { areIncidentsUnknown } from './report-words.ts'

const figures = {
  upS: 0,
  downS: 0,
  plannedS: 0,
  notObservedS: 60,
  percent: null,
  outages: 0,
  longestS: 0,
  meanRepairS: null,
  meanBetweenS: null,
  target: null,
  isBreached: false,
  previousPercent: null,
}

test('incidents are unknown if nothing was observed and none is recorded', () => {
  expect(areIncidentsUnknown({ availability: figures, incidentCount: 0 })).toBe(true)
  expect(areIncidentsUnknown({ availability: figures, incidentCount: 1 })).toBe(false)
  expect(areIncidentsUnknown({ availability: { ...figures, percent: 100 }, incidentCount: 0 })).toBe(false)
})
