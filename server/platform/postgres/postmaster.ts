import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from './layout.ts'
import { findCommand, isAlive, listPostgresProcesses, runsIn, sendSignal, waitUntil } from './processes.ts'
import { buildCommandAs, serverEnv } from './run-as.ts'

export type Postmaster = { pid: number; socketDir: string; status: string }

const pidFile = (clusterDir: string) => join(clusterDir, 'postmaster.pid')

const readPidFile = (clusterDir: string): Postmaster | undefined => {
  try {
    const lines = readFileSync(pidFile(clusterDir), 'utf8').split('\n')
    return { pid: Number(lines[0]), socketDir: lines[4] ?? '', status: (lines[7] ?? '').trim() }
  } catch {
    return undefined
  }
}

/** The live server of a cluster. The pid in the file may have been reused, so the process is checked. */
export const findPostmaster = ({ clusterDir, runAs }: Layout): Postmaster | undefined => {
  const found = readPidFile(clusterDir)
  return found && listPostgresProcesses(clusterDir, runAs.uid).includes(found.pid) ? found : undefined
}

export const isReady = (place: Layout, pid: number) => {
  const found = readPidFile(place.clusterDir)
  return found?.pid === pid && found.status === 'ready'
}

/** Whether a running server is the one we would start: the same program, not one that an upgrade has replaced. */
export const isOurs = ({ pid }: Postmaster, place: Layout, args: string[]) => {
  const running = findCommand(pid)
  const sameProgram = running.executable === undefined || running.executable === place.binaries.postgres
  return sameProgram && running.args.join('\0') === args.join('\0')
}

export const serverArgs = (clusterDir: string, socketDir: string, settings: Record<string, string>) => [
  '-D',
  clusterDir,
  '-k',
  socketDir,
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
]

/** Detached, so that Ctrl-C in the terminal reaches only this process, which can finish before the database stops. */
export const launch = (place: Layout, args: string[], logFd: number, workDir: string) => {
  const { command, args: full, options } = buildCommandAs(place.runAs, place.binaries.postgres, args)
  const child = spawn(command, full, {
    ...options,
    cwd: workDir,
    env: serverEnv,
    detached: true,
    stdio: ['ignore', logFd, logFd],
  })
  child.on('error', () => {})
  child.unref()
  return child.pid
}

export const shutDown = async (pid: number) => {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
    ['SIGKILL', 10_000],
  ] as const) {
    sendSignal(pid, signal)
    if (await waitUntil(() => !isAlive(pid), timeoutMs)) return
  }
}

/**
 * After a kill -9 of the server its child processes exit on their own, except one that runs a long query. A new server
 * must not start before all have exited. What they committed is replayed from the log.
 */
export const clearStaleProcesses = async ({ clusterDir, runAs }: Layout) => {
  const remaining = () => listPostgresProcesses(clusterDir, runAs.uid)
  if (!(await waitUntil(() => remaining().length === 0, 3000))) {
    for (const pid of remaining()) if (runsIn(pid, clusterDir)) sendSignal(pid, 'SIGKILL')
    await waitUntil(() => remaining().length === 0, 5000)
  }
  const stale = readPidFile(clusterDir)
  rmSync(pidFile(clusterDir), { force: true })
  return stale
}
