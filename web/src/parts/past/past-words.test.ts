import { expect, test } from 'vitest'
import type { Past } from '#contract/past.ts'
import { describeLimits } from './past-words.ts'

const at = new Date('2026-11-10T12:00:00Z')
const before = new Date('2026-11-01T00:00:00Z')
const after = new Date('2026-11-12T00:00:00Z')
const knownSince = { status: before, names: before, alerts: before, addresses: before, pools: before, usage: before }
const past: Past = { at, newestAt: at, stepS: 15, knownSince }

test('says nothing where everything is known', () => expect(describeLimits(past)).toEqual([]))

test('names what was not recorded, and since when it is', () =>
  expect(describeLimits({ ...past, knownSince: { ...knownSince, alerts: after, pools: null } })).toEqual([
    'Not recorded at that time: alerts (since Nov 11, 2026, 15:00 AKST), pools.',
  ]))

test('says that a name may be of later', () =>
  expect(describeLimits({ ...past, knownSince: { ...knownSince, names: after } })).toContain(
    'Terminals have the first name that was recorded.',
  ))

test('says that nothing was observed, and how coarse values are', () => {
  expect(describeLimits({ ...past, newestAt: new Date(at.getTime() - 32 * 60_000), stepS: 900 })).toEqual([
    'Not observed: the newest data was 32 min old.',
    'Measured values of that time are stored in steps of 15 min.',
  ])
  expect(describeLimits({ ...past, newestAt: null })).toEqual(['Not observed: there is no data of the days before.'])
})
