import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { changeOwner, type RunAs } from './run-as.ts'

// The kernel takes 107 bytes for the whole path of a socket.
const MAX_DIR_BYTES = 107 - '/.s.PGSQL.5432'.length
const PREFIX = 'dishboard-'

/**
 * PostgreSQL trusts whoever connects, so this folder is the door: mode 0700, owned by the user the server runs as. An
 * ordinary user is that user. Root passes any mode, so it reaches the folder of the server's own user id; in a user
 * namespace the server still is root to the file system. Nobody else gets in.
 */
export const makeSocketDir = (home: string, runAs: RunAs) => {
  const inside = join(home, 'run')
  const dir = Buffer.byteLength(inside) <= MAX_DIR_BYTES ? inside : mkdtempSync(`/tmp/${PREFIX}`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  chmodSync(dir, 0o700)
  changeOwner(runAs, dir)
  return dir
}

const isOurs = (dir: string, home: string) => dir === join(home, 'run') || dir.startsWith(`/tmp/${PREFIX}`)

/** What a killed server left in its private folder; the folder itself stays, so that clients find the next server there. */
export const clearSocketDir = (dir: string) => {
  if (!existsSync(dir)) return
  for (const name of readdirSync(dir)) if (name.startsWith('.s.PGSQL.')) rmSync(join(dir, name), { force: true })
}

export const removeSocketDir = (dir: string, home: string) => {
  if (isOurs(dir, home)) rmSync(dir, { recursive: true, force: true })
}
