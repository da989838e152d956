import type { TestProject } from 'vitest/node'
import { startTestPostgres } from './postgres.ts'
import { openRunFolder } from './run-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    socketDir: string
  }
}

/** One PostgreSQL for the whole run, with a migrated database that each test file copies. */
export const setup = async ({ provide }: TestProject) => {
  const { close } = openRunFolder()
  const { socketDir, stop } = await startTestPostgres()
  provide('socketDir', socketDir)
  return async () => {
    await stop()
    await close()
  }
}
