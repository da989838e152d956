import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countPlaywright, countProofs, countVitest } from './reports.mjs'

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
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'skipped' }] },
    { status: 'failed', assertionResults: [{ status: 'failed' }] },
  ]
  const file = report({ numPassedTests: 5, numFailedTests: 1, testResults })
  expect(countVitest(file)).toEqual({ passed: 5, failed: 3 })
})

test('browser tests count by their final result', () => {
  const file = report({ stats: { expected: 3, flaky: 1, unexpected: 1 } })
  expect(countPlaywright(file)).toEqual({ passed: 4, failed: 1 })
})

test('a tool that died before its report counts nothing', () => {
  expect(countVitest(join(dir, 'missing.json'))).toEqual({ passed: 0, failed: 0 })
  expect(countPlaywright(join(dir, 'missing.json'))).toEqual({ passed: 0, failed: 0 })
  expect(countProofs(join(dir, 'missing'))).toEqual({ passed: 0, failed: 0 })
})

test('proofs count by their figures, and only those of short forms', () => {
  const record = (name: string, ...passes: boolean[]) =>
    writeFileSync(join(dir, name), JSON.stringify({ figures: passes.map((pass) => ({ pass })) }))
  record('load-short.json', true, false)
  record('link-short.json', true)
  record('load.json', false)
  expect(countProofs(dir)).toEqual({ passed: 2, failed: 1 })
})
