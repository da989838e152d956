import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { registerErrorHandler } from '../platform/http/http-errors.ts'
import type { AppServices } from './app.ts'
import { registerHealth } from './health.ts'
import { createMetrics } from './metrics.ts'

/** Serves only health and metrics, for a process that serves no requests. */
export const startHealthServer = async (services: AppServices, port: number, log: FastifyBaseLogger) => {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
    requestTimeout: 10_000,
    forceCloseConnections: true,
  })
  registerErrorHandler(app)
  registerHealth(app, services, createMetrics(services, 'work'))
  const url = await app.listen({ host: services.config.host, port })
  return { url, close: () => app.close() }
}
