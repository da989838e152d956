import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'

/** How many tests of each file passed and failed. */
export interface TestRecord {
  date: string
  files: Record<string, { passed: number; failed: number }>
}

const FILE = 'proof/records/tests.json'
const REPORT = 'proof/records/vitest.json'

interface Report {
  testResults: { name: string; assertionResults: { status: string }[] }[]
}

const countResults = (results: { status: string }[]) => ({
  passed: results.filter(({ status }) => status === 'passed').length,
  failed: results.filter(({ status }) => status === 'failed').length,
})

/** Runs unit test files and records the results. Returns whether all passed. */
export const runTests = (files: readonly string[]) => {
  mkdirSync(dirname(FILE), { recursive: true })
  rmSync(FILE, { force: true })
  const date = new Date().toISOString()
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`]
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...files]
  const { status } = spawnSync(process.execPath, vitest, { stdio: 'inherit' })
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8')) as Report
  const counts = testResults.map(({ name, assertionResults }) => [
    relative(process.cwd(), name),
    countResults(assertionResults),
  ])
  const record: TestRecord = { date, files: Object.fromEntries(counts) }
  writeFileSync(FILE, `${JSON.stringify(record, null, 2)}\n`)
  rmSync(REPORT)
  return status === 0
}

export const findTestRecord = (): TestRecord | undefined =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : undefined
