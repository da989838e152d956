import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { changeOwner, type RunAs } from './run-as.ts'

// The kernel limits a socket path to 107 bytes.
const MAX_DIR_BYTES = 107 - '/.s.PGSQL.5432'.length
const PREFIX = 'dishboard-'

/**
 * PostgreSQL accepts every connection without a password, so this folder restricts who can connect: its mode is 0700 and
 * its owner is the user that the server runs as. For an ordinary user that is the same user. Root can enter regardless of
 * the mode. In a user namespace the server is root to the file system. No other user can connect.
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

/** Removes the sockets of a killed server. The folder stays, so that clients find the next server in the same place. */
export const clearSocketDir = (dir: string) => {
  if (!existsSync(dir)) return
  for (const name of readdirSync(dir)) if (name.startsWith('.s.PGSQL.')) rmSync(join(dir, name), { force: true })
}

export const removeSocketDir = (dir: string, home: string) => {
  if (isOurs(dir, home)) rmSync(dir, { recursive: true, force: true })
}
