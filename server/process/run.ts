import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createFleet } from '../fleet/fleet.ts'
import type { Config } from '../platform/config.ts'
import { listenToDatabase } from '../platform/database/listen.ts'
import { openListeners, sharedPort } from '../platform/http/listeners.ts'
import { explainFileError, StartupError } from '../platform/startup-error.ts'
import { waitAtMost } from '../platform/wait-at-most.ts'
import { createFeedMonitor } from '../telemetry/feed-monitor.ts'
import { openSpool } from '../telemetry/spool.ts'
import { type AppServices, createApp } from './app.ts'
import { createHandover } from './handover.ts'
import { startHealthServer } from './health-server.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { Installation } from './installation.ts'
import type { WorkOptions } from './work.ts'

/** Whether this process serves requests, runs background work, or both. */
export interface ProcessRoles {
  serve: boolean
  work: boolean
}

export interface RunOptions extends WorkOptions {
  /** Routes outside the app, such as those of the demo. */
  registerRoutes?: (app: FastifyInstance, services: AppServices) => void
}

export interface Running {
  url: string | undefined
  stop: () => Promise<void>
}

const explainListenFault = (error: unknown, { host, port }: Config, setting = 'PORT'): unknown => {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new StartupError(`Port ${port} is in use by another program. Stop it, or set ${setting} to a free port.`)
  if (code === 'EACCES')
    return new StartupError(`Port ${port} may not be opened by this user. Set ${setting} to one above 1023.`)
  if (['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND', 'EAI_AGAIN'].includes(code ?? ''))
    return new StartupError(`HOST ${host} is not an address of this machine. Set HOST to 127.0.0.1, 0.0.0.0 or ::.`)
  return error
}

// A burst of browsers may open more connections at once than Node's default backlog of 511. Connections that the kernel
// drops are retried after 1, 3, 7 and 15 s. The kernel also caps this at net.core.somaxconn.
const WAITING_CONNECTIONS = 4_096

// From the signal until requests in flight are cut off: the process then exits within 25 seconds. A download over a slow link
// takes long. Without a proxy there is no other process, and whoever stops this one waits for it.
const FINISH_WITHIN_MS = 22_000
const FINISH_ALONE_WITHIN_MS = 6_000
// How long an unused connection stays open after the port is closed, for a request in transit. Behind a proxy, longer than
// the proxy keeps it, so that none is sent on it while it closes.
const LATE_REQUESTS_MS = 500
const LATE_REQUESTS_OF_PROXY_MS = 4_000
const CLOSE_IDLE_EVERY_MS = 50

// Statements of background work that wait for a lock, or for a database that has fallen silent, would never end.
const FINISH_WORK_WITHIN_MS = 15_000
const END_SESSION_WITHIN_MS = 1_000

const serve = async (services: AppServices, log: FastifyBaseLogger, registerRoutes: RunOptions['registerRoutes']) => {
  const closing = new AbortController()
  const handover = createHandover()
  const app = await createApp({ ...services, closing: closing.signal }, log, { handover })
  registerRoutes?.(app, services)
  const { host, port, drainMs } = services.config
  try {
    const url = await app.listen({ host, port, backlog: WAITING_CONNECTIONS, ...sharedPort })
    const listeners = await openListeners(app.server, { host, backlog: WAITING_CONNECTIONS })
    return {
      url,
      handOver: handover.run,
      cutOff: () => {
        log.warn('Requests that did not finish in time are cut off.')
        app.server.closeAllConnections()
      },
      /** Stops accepting connections, and resolves when every request in flight has its response or is cut off. */
      stop: async () => {
        await listeners.closePort()
        closing.abort()
        await pause(drainMs === 0 ? LATE_REQUESTS_MS : LATE_REQUESTS_OF_PROXY_MS)
        listeners.endUnused()
        const closingIdle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS)
        await Promise.all([listeners.untilClosed(), app.close()])
        clearInterval(closingIdle)
      },
    }
  } catch (error) {
    await app.close()
    throw explainListenFault(error, services.config)
  }
}

const openSpoolFolder = async ({ dataDir, spoolMaxBytes }: Config, log: FastifyBaseLogger) => {
  const folder = join(dataDir, 'spool')
  try {
    return await openSpool({ folder, maxBytes: spoolMaxBytes, log })
  } catch (error) {
    throw explainFileError(error, folder)
  }
}

/** Runs the app on an open installation until it is stopped. */
export const runApp = async (
  config: Config,
  installation: Installation,
  parts: ProcessRoles,
  log: FastifyBaseLogger,
  { registerRoutes, ...options }: RunOptions = {},
): Promise<Running> => {
  const { database, secrets } = installation
  const now = () => new Date()
  const spool = parts.work ? await openSpoolFolder(config, log) : undefined
  const listener = listenToDatabase({ connection: installation.runtime, log })
  const fleet = await createFleet({ database, listener, log, now })
  const stopping = new AbortController()
  const monitor = parts.work ? createFeedMonitor() : undefined
  const services: AppServices = {
    config,
    database,
    secrets,
    fleet,
    spool,
    monitor,
    now,
    stopping: stopping.signal,
  }
  const serving = parts.serve ? await serve(services, log, registerRoutes) : undefined
  // Before the work begins, so that a port in use stops a process that has nothing in its hands.
  const health =
    parts.serve || config.workPort === undefined
      ? undefined
      : await startHealthServer(services, config.workPort, log).catch((error) => {
          throw explainListenFault(error, { ...config, port: config.workPort as number }, 'WORK_PORT')
        })
  // Imported here because a process that only serves requests does not need this code.
  const working =
    spool && monitor && (await import('./work.ts')).startWork({ ...services, spool, monitor }, listener, log, options)
  const url = serving?.url ?? health?.url
  const heartbeat = await startHeartbeat({ services, listener, parts, url })
  return {
    url,
    stop: async () => {
      // First only /readyz reports it, and requests are still accepted: a proxy keeps sending them until it has noticed.
      stopping.abort()
      const served = async () => {
        if (!serving) return
        const cutting = setTimeout(serving.cutOff, config.drainMs > 0 ? FINISH_WITHIN_MS : FINISH_ALONE_WITHIN_MS)
        await pause(config.drainMs)
        if (config.drainMs > 0) await serving.handOver()
        fleet.live.close()
        await serving.stop()
        clearTimeout(cutting)
      }
      const worked = async () => {
        if (working && !(await waitAtMost(FINISH_WORK_WITHIN_MS, working.stop())))
          log.warn('Background work that did not finish in time is cut off. Its leases expire, and it runs again.')
      }
      await Promise.all([served(), worked()])
      await health?.close()
      await fleet.close()
      await waitAtMost(END_SESSION_WITHIN_MS, heartbeat.stop().then(listener.close))
    },
  }
}
