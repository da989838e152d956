import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../platform/config.ts'
import { createLog, formatError, type Log } from '../platform/log.ts'
import { StartupError } from '../platform/startup-error.ts'
import { ConfigError, readConfig } from './config.ts'

/** Reports a port in use before starting a database for nothing. */
const refuseBusyPort = ({ host, port }: Config) =>
  new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return resolve()
      reject(new StartupError(`Port ${port} is in use by another program. Stop it, or set PORT to a free port.`))
    })
    probe.listen({ host, port }, () => probe.close(() => resolve()))
  })

// Supervisors kill after 30 seconds, some after 25.
const STOP_WITHIN_MS = 24_500

const explain = (error: unknown) => {
  if (error instanceof ConfigError) return `The configuration has faults:\n${error.message.replace(/^/gm, '  ')}`
  return error instanceof StartupError ? error.message : undefined
}

/**
 * The lifecycle of a process: reads the configuration, starts, and stops once on a signal. `start` returns a function
 * that stops what it started. A signal during startup aborts `stopping`; `start` must then clean up and throw.
 */
export const runProcess = async (
  { serves }: { serves: boolean },
  start: (config: Config, log: Log, stopping: AbortSignal) => Promise<() => Promise<void>>,
) => {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  try {
    const config = readConfig(process.env)
    if (serves) await refuseBusyPort(config)
    const stop = await start(config, createLog(config.logLevel), stopping.signal)
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
    setTimeout(() => {
      console.error('The process did not stop in time and ends now.')
      process.exit(1)
    }, STOP_WITHIN_MS).unref()
    await stop()
    process.exit(0)
  } catch (error) {
    if (error === stopping.signal.reason) process.exit(0)
    const explanation = explain(error)
    console.error(explanation === undefined ? formatError(error) : `\n${explanation}`)
    process.exit(1)
  }
}
