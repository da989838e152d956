import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '#server/testing/find-free-port.ts'
import { msUntil } from './client.ts'

const entry = fileURLToPath(new URL('../../server/process/main.ts', import.meta.url))
/** A process stops within 25 seconds; a busy machine gets more. */
const STOP_WITHIN_MS = 60_000

export type Part = 'serve' | 'work'

interface Options {
  name: string
  /** Undefined: both in one process. */
  part: Part | undefined
  environment: Record<string, string>
  folder: string
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** A process of the product as an operator runs it, restarted with the same name and port after each kill. */
export const createChild = async ({ name, part, environment, folder }: Options) => {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  /** Number of unexpected exits. */
  let exits = 0
  let isStopping = false

  const start = () => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const next = spawn(process.execPath, [entry, ...(part ? [part] : [])], {
      // The name shows in the database's list of connections, so that a lock can be traced to its process.
      env: { PATH: process.env.PATH ?? '', PORT: String(port), PGAPPNAME: name, ...environment },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    isStopping = false
    next.on('exit', (_code, signal) => {
      if (child === next && !isStopping && signal !== 'SIGKILL' && signal !== 'SIGTERM') exits++
    })
    child = next
  }

  const isReady = async () => {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(20_000) }).catch(() => undefined)
    return response?.status === 200
  }

  return {
    name,
    url,
    start,
    exits: () => exits,
    pid: () => child?.pid as number,
    isReady,
    /** Returns the milliseconds until a serve process was ready. */
    untilReady: async () => {
      const isDecided = async () => (child !== undefined && !isRunning(child)) || (await isReady())
      const ms = await msUntil(isDecided)
      if (Number.isNaN(ms) || !child || !isRunning(child))
        throw new Error(
          `${name} did not become ready: ${readFileSync(join(folder, `${name}.log`), 'utf8').slice(-1_000)}`,
        )
      return ms
    },
    kill: async () => {
      if (!child || !isRunning(child)) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
    /** Stops it by SIGTERM; returns its exit code and how long it took. */
    stop: async () => {
      if (!child || !isRunning(child)) throw new Error(`${name} does not run.`)
      const gone = once(child, 'exit')
      const begin = performance.now()
      isStopping = true
      child.kill('SIGTERM')
      const killing = setTimeout(() => child?.kill('SIGKILL'), STOP_WITHIN_MS)
      const [code] = (await gone) as [number | null]
      clearTimeout(killing)
      return { code, ms: performance.now() - begin }
    },
  }
}

export type Child = Awaited<ReturnType<typeof createChild>>
