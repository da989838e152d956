import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '#contract/errors.ts'

// Long enough for a first request on a portal with few users; a proxy that checks /readyz sends none anymore.
const MIN_MS = 1_000
const MAX_MS = 2_000
// Requests that the proxy had already sent here when it noticed arrive within this time.
const QUIET_MS = 500
const CHECK_EVERY_MS = 50

/** Probes and metrics are about this process, and are never sent to another one. */
const OWN_PATHS = new Set(['/healthz', '/readyz', '/metrics'])

const { status, body } = new ApiError(502, 'stopping', 'This part of the service restarts. Please try again.')
const RETRY_AFTER_S = 1

/**
 * Tells a proxy without health checks to use the other processes, before the port closes: a POST that arrives at the moment
 * in which a port closes is lost, because it may not be sent twice. A GET may: it gets 502, and the proxy repeats it
 * elsewhere and sends nothing more here. All other requests are still served.
 */
export const createHandover = () => {
  let isOn = false
  let requestedMs = 0
  return {
    register: (app: FastifyInstance) => {
      app.addHook('onRequest', async ({ method, routeOptions }, reply) => {
        if (!isOn || OWN_PATHS.has(routeOptions.url ?? '')) return
        requestedMs = performance.now()
        if (method !== 'GET' && method !== 'HEAD') return
        // Not thrown: it is no fault that the log should have.
        return reply.code(status).header('retry-after', RETRY_AFTER_S).send(body)
      })
    },
    /** Resolves when no request has arrived for a moment, or after the maximum. */
    run: async () => {
      isOn = true
      const beganMs = performance.now()
      requestedMs = beganMs
      const isOver = () => {
        const nowMs = performance.now()
        return nowMs - beganMs >= MAX_MS || (nowMs - beganMs >= MIN_MS && nowMs - requestedMs >= QUIET_MS)
      }
      while (!isOver()) await pause(CHECK_EVERY_MS)
    },
  }
}

export type Handover = ReturnType<typeof createHandover>
