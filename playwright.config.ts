import { defineConfig, type ReporterDescription } from '@playwright/test'
import { launchOptions } from './e2e/browser.ts'
import { TEST_TIME_ZONE } from './server/testing/time-zone.ts'

// Inherited by the tests and by the server that they start.
process.env.TZ = TEST_TIME_ZONE

const jsonFile = process.env.PLAYWRIGHT_JSON_OUTPUT_NAME

const reporter: ReporterDescription[] = [['list']]
if (jsonFile) reporter.push(['json', { outputFile: jsonFile }])

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/global-setup.ts',
  reporter,
  workers: 3,
  fullyParallel: true,
  // `npm test` runs the journeys tagged @core, `npm run test:full` the others. Each screen and each kind of promise (sign-in,
  // live update, command, admin change, isolation) has a journey in the core.
  projects: [
    { name: 'core', grep: /@core/ },
    { name: 'full', grepInvert: /@core/ },
  ],
  // A second try is traced, and the run names each test that needed one; recording every first try costs a fifth.
  retries: 1,
  forbidOnly: true,
  // These end a hang and decide nothing else: the slowest test takes 10 s on a quiet machine, and a busy one may take ten
  // times as long. Maps are drawn without a GPU.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  use: {
    timezoneId: TEST_TIME_ZONE,
    // A service worker hides requests from the tests; those of pages without a connection allow it.
    serviceWorkers: 'block',
    viewport: { width: 1280, height: 800 },
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    launchOptions,
  },
})
