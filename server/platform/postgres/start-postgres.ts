import { mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { explainFileError } from '../startup-error.ts'
import { getBinaries } from './binaries.ts'
import { lockFolder } from './folder-lock.ts'
import { watchFreeSpace } from './free-space.ts'
import { chooseLayout } from './layout.ts'
import { shutDown } from './postmaster.ts'
import { sendSignal } from './processes.ts'
import { defaultSettings, type Settings } from './settings.ts'
import { removeSocketDir } from './socket-dir.ts'
import { startOrAdopt } from './start-or-adopt.ts'
import { type PostgresEvent, supervise } from './supervise.ts'

export type EmbeddedPostgres = {
  /** Clients connect with `{ host: socketDir, user: superuser, database }`; it stays the same across restarts of the server. */
  socketDir: string
  superuser: 'postgres'
  /** The server was already running, left behind by a killed process. */
  adopted: boolean
  /** Reports that the server died unexpectedly, that it is back, or why it could not be started. */
  onExit(listener: (event: PostgresEvent) => void): void
  /** Whether the disk has too little space left to write. */
  isDiskFull(): boolean
  stop(): Promise<void>
}

export type StartOptions = {
  /** A folder for this server only. Created if it is missing. */
  dataDir: string
  onProgress?: (message: string) => void
  settings?: Settings
}

const openDataDir = (dataDir: string) => {
  // Other users may pass through, because root runs the server as another user. The folders inside are private.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 })
  return realpathSync(dataDir)
}

/** Starts, adopts or recovers the PostgreSQL of a data folder, and keeps it alive until `stop`. Fails with a StartupError. */
export const startPostgres = async ({
  dataDir,
  onProgress = () => {},
  settings,
}: StartOptions): Promise<EmbeddedPostgres> => {
  let unlock = async () => {}
  try {
    const dir = openDataDir(dataDir)
    unlock = await lockFolder(dir)
    const start = {
      dataDir: dir,
      place: chooseLayout(dir, getBinaries()),
      settings: { ...defaultSettings(), ...settings },
      onProgress,
    }
    const { pid, socketDir, adopted } = await startOrAdopt(start)
    const supervisor = supervise(pid, async () => (await startOrAdopt({ ...start, socketDir })).pid)
    // A process that could not stop in time must not leave its server running.
    const endWithProcess = () => {
      const current = supervisor.getPid()
      if (current !== undefined) sendSignal(current, 'SIGINT')
    }
    process.once('exit', endWithProcess)
    return {
      socketDir,
      superuser: 'postgres',
      adopted,
      onExit: supervisor.onEvent,
      isDiskFull: watchFreeSpace(start.place.clusterDir),
      stop: async () => {
        const current = await supervisor.end()
        if (current !== undefined) await shutDown(current)
        process.off('exit', endWithProcess)
        removeSocketDir(socketDir, dirname(start.place.clusterDir))
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw explainFileError(error, dataDir)
  }
}
