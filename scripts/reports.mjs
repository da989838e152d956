import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/** A file that does not load, or whose preparation fails, has failed without a failed test. */
export const countVitest = (file) => {
  const report = readReport(file)
  if (!report) return { passed: 0, failed: 0 }
  const hasFailedTest = ({ assertionResults }) => assertionResults.some(({ status }) => status === 'failed')
  const brokenFiles = report.testResults.filter((result) => result.status === 'failed' && !hasFailedTest(result))
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length }
}

/** A test that passed only when tried again is not a pass to rely on, but no failure either: Playwright calls it flaky. */
export const countPlaywright = (file) => {
  const report = readReport(file)
  if (!report) return { passed: 0, failed: 0 }
  const { expected, flaky, unexpected } = report.stats
  return { passed: expected + flaky, failed: unexpected }
}

/** Counts figures. A proof that fell left no record, so the stage's own end tells of it. */
export const countProofs = (dir) => {
  if (!existsSync(dir)) return { passed: 0, failed: 0 }
  const records = readdirSync(dir).filter((name) => name.endsWith('-short.json'))
  const figures = records.flatMap((name) => readReport(join(dir, name)).figures)
  const passed = figures.filter(({ pass }) => pass).length
  return { passed, failed: figures.length - passed }
}
