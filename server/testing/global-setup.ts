import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { startTestPostgres } from './postgres.ts'
import { openRunFolder } from './run-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    socketDir: string
  }
}

const OLDEST_NODE = 24
/** The default data folder of an installation. */
const DATA_DIR = '.data'

/** An older Node would fail much later, with an unrelated error. */
const checkNodeVersion = () => {
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return
  throw new Error(
    `The tests need Node ${OLDEST_NODE}, and this is ${process.versions.node}. Run them with "npm test -- --only unit FILE", which brings Node ${OLDEST_NODE}.`,
  )
}

/** One PostgreSQL for the whole run, with a migrated database that each test file copies. */
export const setup = async ({ provide }: TestProject) => {
  checkNodeVersion()
  const hadData = existsSync(DATA_DIR)
  const { close } = openRunFolder()
  const { socketDir, stop } = await startTestPostgres()
  provide('socketDir', socketDir)
  return async () => {
    await stop()
    await close()
    if (!hadData && existsSync(DATA_DIR))
      throw new Error(`A test wrote to ${DATA_DIR}, the folder of a developer's demo.`)
  }
}
