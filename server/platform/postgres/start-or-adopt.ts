import { closeSync, fchownSync, openSync, readFileSync, renameSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { diskFullError, StartupError } from '../startup-error.ts'
import { checkCluster, createCluster } from './cluster.ts'
import type { Layout } from './layout.ts'
import {
  clearStaleProcesses,
  findPostmaster,
  isOurs,
  isReady,
  launch,
  type Postmaster,
  serverArgs,
  shutDown,
} from './postmaster.ts'
import { isAlive, waitUntil } from './processes.ts'
import { changeOwner, type RunAs } from './run-as.ts'
import type { Settings } from './settings.ts'
import { clearSocketDir, makeSocketDir, removeSocketDir } from './socket-dir.ts'

type Start = {
  dataDir: string
  place: Layout
  settings: Settings
  onProgress: (message: string) => void
  /** Set if clients already use the folder. */
  socketDir?: string
}

const READY_LIMIT_MS = 15 * 60_000
const LOG_EVERY_MS = 5000
const LOG_LIMIT_BYTES = 10 * 1024 ** 2

const openLog = (path: string, { kind, uid, gid }: RunAs) => {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(path, `${path}.1`)
  const offset = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const fd = openSync(path, 'a', 0o600)
  if (kind === 'setuid') fchownSync(fd, uid, gid)
  return { path, offset, fd }
}

type Log = ReturnType<typeof openLog>

const explainDeath = ({ path, offset }: Log, clusterDir: string) => {
  const text = readFileSync(path).subarray(offset).toString()
  const { bavail, bsize } = statfsSync(clusterDir)
  // If the disk is full, the log may not contain the reason either.
  if (/No space left|Disk quota/.test(text) || bavail * bsize < 1024 ** 2) return diskFullError(dirname(clusterDir))
  const lines = text.split('\n')
  const reason =
    lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.findLast((line) => line !== '') ?? 'no reason given'
  return new StartupError(
    `PostgreSQL did not start: ${reason.replace(/^.*?(FATAL|PANIC): +/, '')}. The whole story is in ${path}.`,
  )
}

const waitReady = async (place: Layout, pid: number, log: Log, onProgress: Start['onProgress']) => {
  const begin = performance.now()
  let nextWord = begin + LOG_EVERY_MS
  while (!isReady(place, pid)) {
    if (!isAlive(pid)) throw explainDeath(log, place.clusterDir)
    const now = performance.now()
    if (now - begin > READY_LIMIT_MS) {
      await shutDown(pid)
      throw new StartupError(`PostgreSQL was not ready after 15 minutes. The whole story is in ${log.path}.`)
    }
    if (now > nextWord) {
      onProgress('The database is repairing itself after a crash')
      nextWord += LOG_EVERY_MS
    }
    await pause(20)
  }
}

const adopt = async (running: Postmaster, { place, settings, socketDir }: Start) => {
  const expected = serverArgs(place.clusterDir, socketDir ?? running.socketDir, settings)
  if (running.status === 'stopping') {
    await waitUntil(() => !isAlive(running.pid), 30_000)
    return false
  }
  if (!isOurs(running, place, expected)) return false
  return waitUntil(() => isReady(place, running.pid), READY_LIMIT_MS)
}

/** Returns a ready server: the running one if it is ours, otherwise a new one on the same cluster. */
export const startOrAdopt = async (start: Start) => {
  const { dataDir, place, settings, onProgress } = start
  const home = dirname(place.clusterDir)
  const running = findPostmaster(place)
  if (running) {
    if (await adopt(running, start)) return { pid: running.pid, socketDir: running.socketDir, adopted: true }
    await shutDown(running.pid)
  }
  if (!checkCluster(place)) {
    onProgress('Creating the database')
    await createCluster(place, settings.fsync !== 'off')
  }
  const stale = await clearStaleProcesses(place)
  if (stale && stale.socketDir !== start.socketDir) removeSocketDir(stale.socketDir, home)
  changeOwner(place.runAs, place.clusterDir)
  const socketDir = start.socketDir ?? makeSocketDir(home, place.runAs)
  clearSocketDir(socketDir)

  onProgress('Starting the database')
  const log = openLog(join(dataDir, 'postgres.log'), place.runAs)
  const pid = launch(place, serverArgs(place.clusterDir, socketDir, settings), log.fd, home)
  closeSync(log.fd)
  if (pid === undefined) throw new StartupError(`${place.binaries.postgres} could not be started.`)
  try {
    await waitReady(place, pid, log, onProgress)
  } catch (error) {
    if (!start.socketDir) removeSocketDir(socketDir, home)
    throw error
  }
  return { pid, socketDir, adopted: false }
}
