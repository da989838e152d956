import { expect, test } from 'vitest'
import type { Past } from '#contract/past.ts'
import { describeLimits, isObserved } from './past-words.ts'

const at = new Date('2026-11-10T12:00:00Z')
const before = new Date('2026-11-01T00:00:00Z')
const past: Past = { at, newestAt: at, stepS: 15, statusSince: before, factsSince: before }

test('says nothing where everything is known', () => expect(describeLimits(past)).toEqual([]))

test('says since when facts are recorded, and that names may be of later', () =>
  expect(describeLimits({ ...past, statusSince: null, factsSince: new Date('2026-11-12T00:00:00Z') })).toEqual([
    'The status is not recorded.',
    'What is known of names, places, plans, pools, usage and addresses is recorded since Nov 11, 2026, 15:00 AKST.',
    'Terminals have their first known name.',
  ]))

test('says that nothing was observed, and how coarse values are', () => {
  expect(describeLimits({ ...past, newestAt: new Date(at.getTime() - 32 * 60_000), stepS: 900 })).toEqual([
    'Not observed: the newest data was 32 min old.',
    'Measured values of that time are stored in steps of 15 min.',
  ])
  expect(describeLimits({ ...past, newestAt: null })).toEqual(['Not observed: there is no data of the days before.'])
})

test('the status of a time is unknown before it was recorded and while no data arrived', () => {
  expect(isObserved(past)).toBe(true)
  expect(isObserved({ ...past, statusSince: null })).toBe(false)
  expect(isObserved({ ...past, statusSince: new Date(at.getTime() + 1) })).toBe(false)
  expect(isObserved({ ...past, newestAt: null })).toBe(false)
  expect(isObserved({ ...past, newestAt: new Date(at.getTime() - 11 * 60_000) })).toBe(false)
})
