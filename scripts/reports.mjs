import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/** The result of a stage: how many tests passed, and the names of those that did not. */
const NOTHING = { passed: 0, failed: [] }

const SHOWN_LINES = 14

/** A failed test with the beginning of its error message. The summary may be all that a CI system shows. */
const describeFailure = (name, message = '') => {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [name, ...lines.slice(0, SHOWN_LINES).map((line) => `    ${line}`)].join('\n')
}

/** A file that does not load, or whose setup fails, has no failed test but counts as failed. */
export const readVitest = (file) => {
  const report = readReport(file)
  if (!report) return NOTHING
  const failed = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages }) => describeFailure(fullName, failureMessages?.[0]))
    const faults = status === 'failed' && tests.length === 0 ? [describeFailure('does not run', message)] : tests
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
  return {
    passed: expected + flaky,
    failed: failed.map(({ file, line, title, tests }) =>
      describeFailure(`${file}:${line} › ${title}`, tests.at(-1)?.results.at(-1)?.error?.message),
    ),
  }
}

/** Counts figures. A proof that crashed has no record; the exit code of its stage reports it. */
export const readProofs = (dir) => {
  if (!existsSync(dir)) return NOTHING
  const records = readdirSync(dir).map((file) => readReport(join(dir, file)))
  const figures = records.flatMap((record) =>
    record.figures.map(({ name, pass, value, limit }) => ({
      name: describeFailure(`${record.name} › ${name}`, `${value}, limit: ${limit}`),
      pass,
    })),
  )
  return {
    passed: figures.filter(({ pass }) => pass).length,
    failed: figures.filter(({ pass }) => !pass).map(({ name }) => name),
  }
}
