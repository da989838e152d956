import { existsSync, realpathSync } from 'node:fs'
import { getBinaries } from './binaries.ts'
import { chooseLayout } from './layout.ts'
import { findPostmaster, isReady } from './postmaster.ts'

/** The server that another process of ours keeps on this data folder, for a command that wants to work beside it. */
export const findRunningPostgres = (dataDir: string) => {
  if (!existsSync(dataDir)) return undefined
  const place = chooseLayout(realpathSync(dataDir), getBinaries())
  const found = findPostmaster(place)
  return found && isReady(place, found.pid) ? { socketDir: found.socketDir, superuser: 'postgres' } : undefined
}
