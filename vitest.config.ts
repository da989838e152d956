import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,starlink,simulator,server,demo,cli,bench,proof,scripts,web}/**/*.test.{ts,tsx}'],
    globalSetup: 'server/testing/global-setup.ts',
    setupFiles: 'server/testing/repeatable.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
