import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { attacks } from './attacks.ts'
import { atLeast, atMost, exactly, judge, none } from './figure.ts'
import { hardening, hardeningTests } from './hardening.ts'
import type { Proof } from './proof.ts'
import { proofs } from './proofs.ts'
import { writePublishedPage } from './published.ts'
import { findFullRun, type RunRecord } from './run-record.ts'
import { findTestRecord } from './test-record.ts'

const proof: Proof = { name: 'crashes', about: 'Nothing is lost.', run: async () => [] }
const machine = { cores: 2, processor: 'Some processor', memoryGb: 4, node: '24.1.0', postgres: '18.4' }
const figures = [exactly('rows lost', 0, 0), atMost('ready again', 4.25, 3, 's')]
const record: RunRecord = { ...proof, form: 'full', date: '2026-11-15T19:30:12.000Z', seconds: 61, machine, figures }

test('shows a figure with its limit, command, day and machine', () => {
  const page = writePublishedPage([{ proof, record }], undefined)
  expect(page).toContain('`npm run proof -- crashes` 2026-11-15 19:30 UTC, 61 s; 2 cores (Some processor), 4 GB')
  expect(page).toContain('| rows lost | 0 | exactly 0 | PASS |')
  expect(page).toContain('| ready again | 4.25 s | at most 3 | FAIL |')
})

test('shows the steal time if it is known', () => {
  const taken = 'Steal time 7 %.'
  expect(writePublishedPage([{ proof, record: { ...record, stolenPercent: 7 } }], undefined)).toContain(taken)
  expect(writePublishedPage([{ proof, record }], undefined)).not.toContain('Steal time')
})

test('marks a proof that was not run', () => {
  expect(writePublishedPage([{ proof, record: undefined }], undefined)).toContain('Not run yet.')
})

test('the page shows the records of the full runs', () => {
  const recorded = proofs.map((proof) => ({ proof, record: findFullRun(proof.name) }))
  expect(readFileSync('docs/proof.md', 'utf8')).toBe(writePublishedPage(recorded, findTestRecord()))
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

test('a figure of what must not happen names what did', () => {
  expect(none('errors', new Map())).toMatchObject({ value: 0, pass: true })
  const found = none('errors', new Map([['GET 502', 2]]))
  expect(found).toMatchObject({ value: '2 × GET 502', pass: false })
  expect(judge('short', found).pass).toBe(false)
})

test('the table of hardening shows figures of proofs and counts of tests, and what was not run', () => {
  const figures = [
    atLeast('races of a call, stopped', 1700, 300),
    exactly('races in which something was written', 0, 0),
  ]
  const races = { ...record, name: 'races', figures }
  const raceTests = { 'server/process/rights-races.slow.test.ts': { passed: 40, failed: 1 } }
  const page = writePublishedPage([{ proof, record: races }], { date: '2026-11-17T08:00:00.000Z', files: raceTests })
  const row = page.split('\n').find((line) => line.startsWith('| 2 |'))
  expect(row).toContain('races of a call, stopped: 1,700 (`races`)<br>41 tests')
  expect(row).toContain('races in which something was written: 0<br>tests failed: 1')
  expect(page.split('\n').find((line) => line.startsWith('| 3 |'))).toContain('not run yet<br>tests not run yet')
})

test('the table of hardening names proofs and files of tests that exist', () => {
  expect(hardeningTests.filter((file) => !existsSync(file))).toEqual([])
  const named = hardening.flatMap(({ proofs = [] }) => proofs.map((evidence) => evidence.proof))
  expect(named.filter((name) => !existsSync(`proof/${name}/${name}.ts`))).toEqual([])
})

test('the table of attacks names tests that exist, and the page shows it', () => {
  const named = attacks.flatMap(({ file, tests }) => tests.map((title) => ({ file, title })))
  expect(named.filter(({ file, title }) => !readFileSync(file, 'utf8').includes(`'${title}`))).toEqual([])
  const rows = writePublishedPage([], undefined).split('\n')
  for (const { attack } of attacks)
    expect(
      rows.some((row) => row.startsWith(`| ${attack} |`)),
      attack,
    ).toBe(true)
})
