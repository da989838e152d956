import { defineConfig } from 'vitest/config'
import { TEST_TIME_ZONE } from './server/testing/time-zone.ts'

// Inherited by the workers and by every process that a test starts.
process.env.TZ = TEST_TIME_ZONE

const SOURCES = '{contract,starlink,simulator,server,demo,client,cli,bench,proof,scripts,web}/**'
const SLOW = `${SOURCES}/*.slow.test.ts`

export default defineConfig({
  test: {
    globalSetup: 'server/testing/global-setup.ts',
    setupFiles: ['server/testing/repeatable.ts', 'server/testing/refuse-timer-warnings.ts'],
    // These end a hang and decide nothing else: a busy machine may take ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 25 } },
    // One more than the cores that a run needs, because tests also wait for the database.
    maxWorkers: 3,
    // A worker runs many files and loads our code once: modules have no state that one test could leave to the next.
    isolate: false,
    // `npm test` runs the core, `npm run test:full` the rest: tests that kill processes, wait out failures or fill databases.
    projects: [
      { extends: true, test: { name: 'core', include: [`${SOURCES}/*.test.{ts,tsx}`], exclude: [SLOW] } },
      // The slowest of them take a minute on a quiet machine.
      { extends: true, test: { name: 'full', include: [SLOW], testTimeout: 900_000, hookTimeout: 900_000 } },
    ],
  },
})
