import { defineConfig, type ReporterDescription } from '@playwright/test'
import { launchOptions } from './e2e/browser.ts'

const jsonFile = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME

const reporter: ReporterDescription[] = [['list']]
if (jsonFile) reporter.push(['json', { outputFile: jsonFile }])

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  reporter,
  workers: 2,
  fullyParallel: true,
  // A second try is traced, and the run names each test that needed one; recording every first try costs a fifth.
  retries: 1,
  forbidOnly: true,
  // Maps are drawn without a GPU, and a busy machine may take ten times as long as a quiet one.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    viewport: { width: 1280, height: 800 },
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions,
  },
})
