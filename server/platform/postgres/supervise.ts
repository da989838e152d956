import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from './processes.ts'

export type PostgresEvent = { kind: 'died' } | { kind: 'restarted' } | { kind: 'not started'; problem: Error }

const CHECK_INTERVAL_MS = 250
const PAUSES_MS = [0, 500, 1000, 2000, 5000]
const STEADY_AFTER_MS = 1_000

/**
 * Watches the server process and restarts it when it dies, with backoff while it does not stay up. It never gives up:
 * disk space may be freed, and there may be no operator to restart the app.
 */
export const supervise = (firstPid: number, restart: () => Promise<number>, pausesMs = PAUSES_MS) => {
  const listeners: ((event: PostgresEvent) => void)[] = []
  const emit = (event: PostgresEvent) => {
    for (const listener of listeners) listener(event)
  }
  let pid: number | undefined = firstPid
  let upSince = performance.now()
  let tries = 0
  const ending = new AbortController()
  // The supervisor alone must not keep the process alive, and stopping must not wait for a backoff pause.
  const rest = (ms: number) => pause(ms, undefined, { ref: false, signal: ending.signal }).catch(() => {})

  const revive = async () => {
    pid = undefined
    emit({ kind: 'died' })
    if (performance.now() - upSince > STEADY_AFTER_MS) tries = 0
    while (!ending.signal.aborted) {
      await rest(pausesMs[Math.min(tries++, pausesMs.length - 1)] ?? 0)
      if (ending.signal.aborted) return
      try {
        pid = await restart()
        upSince = performance.now()
        return emit({ kind: 'restarted' })
      } catch (error) {
        emit({ kind: 'not started', problem: error as Error })
      }
    }
  }

  const watch = async () => {
    while (!ending.signal.aborted) {
      await rest(CHECK_INTERVAL_MS)
      if (!ending.signal.aborted && (pid === undefined || !isAlive(pid))) await revive()
    }
  }
  const watching = watch()

  return {
    onEvent: (listener: (event: PostgresEvent) => void) => {
      listeners.push(listener)
    },
    getPid: () => pid,
    /** Stops supervising and returns the process that is still running, if any. */
    end: async () => {
      ending.abort()
      await watching
      return pid
    },
  }
}
