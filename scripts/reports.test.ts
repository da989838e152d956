import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPlaywright, readProofs, readVitest } from './reports.mjs'

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'dishboard-reports-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

const report = (content: unknown) => {
  const file = join(dir, 'report.json')
  writeFileSync(file, JSON.stringify(content))
  return file
}

test('a test file that does not load, or cannot prepare, counts as a failure', () => {
  const failing = {
    status: 'failed',
    fullName: 'holds',
    failureMessages: ['\u001b[31mexpected 1\u001b[39m\n\nto be 2'],
  }
  const testResults = [
    { name: '/project/a.test.ts', status: 'failed', message: 'Cannot find x', assertionResults: [] },
    { name: '/project/b.test.ts', status: 'failed', assertionResults: [{ status: 'skipped' }] },
    { name: '/project/c.test.ts', status: 'failed', assertionResults: [failing] },
    { name: '/project/d.test.ts', status: 'passed', assertionResults: [{ status: 'passed', fullName: 'holds' }] },
  ]
  const file = report({ numPassedTests: 5, testResults })
  expect(readVitest(file)).toEqual({
    passed: 5,
    failed: [
      'a.test.ts › does not run\n    Cannot find x',
      'b.test.ts › does not run',
      'c.test.ts › holds\n    expected 1\n    to be 2',
    ],
  })
})

test('browser tests count by their final result, and those that failed are named with their last error', () => {
  const tests = [{ results: [{ error: { message: 'first try' } }, { error: { message: 'second try' } }] }]
  const spec = (title: string, ok: boolean) => ({ title, ok, file: 'a.spec.ts', line: 7, tests })
  const suites = [{ specs: [spec('opens', true)], suites: [{ specs: [spec('closes', false)] }] }]
  const file = report({ stats: { expected: 3, flaky: 1, unexpected: 1 }, suites })
  expect(readPlaywright(file)).toEqual({ passed: 4, failed: ['a.spec.ts:7 › closes\n    second try'] })
})

test('a tool that died before its report counts nothing', () => {
  const nothing = { passed: 0, failed: [] }
  expect(readVitest(join(dir, 'missing.json'))).toEqual(nothing)
  expect(readPlaywright(join(dir, 'missing.json'))).toEqual(nothing)
  expect(readProofs(join(dir, 'missing'))).toEqual(nothing)
})

test('proofs count by their figures', () => {
  const proofDir = mkdtempSync(join(dir, 'proof-'))
  const record = (name: string, ...passes: boolean[]) => {
    const figures = passes.map((pass, at) => ({ name: `n${at}`, pass, value: 3, limit: 'exactly 2' }))
    writeFileSync(join(proofDir, `${name}.json`), JSON.stringify({ name, figures }))
  }
  record('fleet-metrics', true, false)
  record('link', true)
  expect(readProofs(proofDir)).toEqual({ passed: 2, failed: ['fleet-metrics › n1\n    3, limit: exactly 2'] })
})
