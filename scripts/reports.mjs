import { existsSync, readFileSync } from 'node:fs'

const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

/** A file that does not even load counts as a failed suite without tests. */
export const countVitest = (file) => {
  const report = readReport(file)
  if (!report) return { passed: 0, failed: 0 }
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length }
}

/** A test that passed only when tried again is not a pass to rely on, but no failure either: Playwright calls it flaky. */
export const countPlaywright = (file) => {
  const report = readReport(file)
  if (!report) return { passed: 0, failed: 0 }
  const { expected, flaky, unexpected } = report.stats
  return { passed: expected + flaky, failed: unexpected }
}
