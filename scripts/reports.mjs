import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/** The result of a stage: how many tests passed, and the names of those that did not. */
const NOTHING = { passed: 0, failed: [] }

/** A file that does not load, or whose setup fails, has no failed test but counts as failed. */
export const readVitest = (file) => {
  const report = readReport(file)
  if (!report) return NOTHING
  const failed = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => fullName)
    const faults = status === 'failed' && tests.length === 0 ? ['does not run'] : tests
    return faults.map((fault) => `${basename(name)} › ${fault}`)
  })
  return { passed: report.numPassedTests, failed }
}

const listSpecs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(listSpecs)]

/** A test that passed only on a retry is neither a reliable pass nor a failure. Playwright calls it flaky. */
export const readPlaywright = (file) => {
  const report = readReport(file)
  if (!report) return NOTHING
  const failed = listSpecs(report).filter(({ ok }) => !ok)
  const { expected, flaky } = report.stats
  return { passed: expected + flaky, failed: failed.map(({ file, line, title }) => `${file}:${line} › ${title}`) }
}

/** Counts figures. A proof that crashed has no record; the exit code of its stage reports it. */
export const readProofs = (dir) => {
  if (!existsSync(dir)) return NOTHING
  const records = readdirSync(dir).filter((name) => name.endsWith('-short.json'))
  const figures = records.flatMap((record) =>
    readReport(join(dir, record)).figures.map(({ name, pass }) => ({
      name: `${record.split('-')[0]} › ${name}`,
      pass,
    })),
  )
  return {
    passed: figures.filter(({ pass }) => pass).length,
    failed: figures.filter(({ pass }) => !pass).map(({ name }) => name),
  }
}
