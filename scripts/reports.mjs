import { existsSync, readFileSync } from 'node:fs'

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
