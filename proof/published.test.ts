import { expect, test } from 'vitest'
import { atLeast, atMost, exactly, judge } from './figure.ts'
import type { Proof } from './proof.ts'
import { publishedPage } from './published.ts'
import type { RunRecord } from './run-record.ts'

const proof: Proof = { name: 'crashes', about: 'Nothing is lost.', run: async () => [] }
const machine = { cores: 2, processor: 'Some processor', memoryGb: 4, node: '24.1.0', postgres: '18.4' }
const figures = [exactly('rows lost', 0, 0), atMost('ready again', 4.25, 3, 's')]
const record: RunRecord = { ...proof, form: 'full', date: '2026-11-15T19:30:12.000Z', seconds: 61, machine, figures }

test('shows a figure with its limit, command, day and machine', () => {
  const page = publishedPage([{ proof, record }])
  expect(page).toContain(
    '`npm run proof -- crashes` Full form; 2026-11-15 19:30 UTC, 61 s; 2 cores (Some processor), 4 GB',
  )
  expect(page).toContain('| rows lost | 0 | exactly 0 | PASS |')
  expect(page).toContain('| ready again | 4.25 s | at most 3 | FAIL |')
})

test('shows the steal time if it is known', () => {
  const taken = 'Steal time 7 %.'
  expect(publishedPage([{ proof, record: { ...record, stolenPercent: 7 } }])).toContain(taken)
  expect(publishedPage([{ proof, record }])).not.toContain('Steal time')
})

test('marks a proof that ran in short form only or not at all', () => {
  const short = publishedPage([{ proof, record: { ...record, form: 'short' } }])
  expect(short).toContain('`npm run proof -- crashes --short` Short form; no full run is recorded')
  expect(publishedPage([{ proof, record: undefined }])).toContain('Not run yet.')
})

test('a figure that could not be measured does not pass', () => {
  expect(atMost('median', Number.NaN, 3).pass).toBe(false)
  expect(atLeast('writes', Number.NaN, 3).pass).toBe(false)
  expect(judge('short', atMost('median', Number.NaN, 3, 'ms')).pass).toBe(false)
})

test('a time that misses its limit fails the full form only, a count fails both', () => {
  const slow = atMost('ready again', 4000, 3000, 'ms')
  expect([judge('short', slow).pass, judge('full', slow).pass]).toEqual([true, false])
  const lost = exactly('rows lost', 1, 0)
  expect([judge('short', lost).pass, judge('full', lost).pass]).toEqual([false, false])
})
