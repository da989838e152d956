import { existsSync, realpathSync } from 'node:fs'
import { getBinaries } from './binaries.ts'
import { chooseLayout } from './layout.ts'
import { findPostmaster, isReady } from './postmaster.ts'

/** Finds the server that another process of this app runs on the data folder, for a command that uses the same database. */
export const findRunningPostgres = (dataDir: string) => {
  if (!existsSync(dataDir)) return undefined
  const place = chooseLayout(realpathSync(dataDir), getBinaries())
  const found = findPostmaster(place)
  return found && isReady(place, found.pid) ? { socketDir: found.socketDir, superuser: 'postgres' } : undefined
}
