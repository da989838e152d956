import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Histogram, type Registry } from 'prom-client'
import { unauthorized } from '#contract/errors.ts'
import type { Services } from '../platform/context.ts'
import { MAX_CLOCK_SKEW_MS, measureClockSkew } from '../platform/database/clock-skew.ts'
import type { Db } from '../platform/database/database.ts'
import { compareSchema } from '../platform/database/migrate.ts'
import { sha256 } from '../platform/secrets.ts'
import type { AppServices } from './app.ts'

const DURATION_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Measures every request of the app. */
export const observeRequests = (app: FastifyInstance, registry: Registry) => {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to respond to a request',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
}

const isReadOnly = async (db: Db) => {
  const { rows } = await sql<{ yes: boolean }>`select current_setting('transaction_read_only') = 'on' as yes`.execute(
    db,
  )
  return rows[0]?.yes === true
}

const findReadinessFault = async ({ database, now }: Services) => {
  try {
    const { missing, unknown } = await compareSchema(database.outsideTenants)
    if (unknown.length > 0)
      return 'a newer version has changed the database, and this version does not know the changes'
    if (missing.length > 0) return `${missing.length} migrations are missing`
    if (await isReadOnly(database.outsideTenants)) return 'the database is read-only, like a standby server'
    const skewMs = await measureClockSkew(database.outsideTenants, now)
    if (Math.abs(skewMs) <= MAX_CLOCK_SKEW_MS) return undefined
    const seconds = Math.round(Math.abs(skewMs) / 1000)
    return `the clock of this process is ${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} that of the database`
  } catch {
    return 'the database is unreachable'
  }
}

/** Anyone may ask at any rate, so that requests during a check share its result. */
const createReadinessCheck = (services: Services) => {
  let running: Promise<string | undefined> | undefined
  return () => {
    running ??= findReadinessFault(services).finally(() => {
      running = undefined
    })
    return running
  }
}

const isSameSecret = (given: string | undefined, expected: string) =>
  timingSafeEqual(sha256(given ?? ''), sha256(expected))

/** Alive: the process responds. Ready: it can serve requests. */
export const registerHealth = (app: FastifyInstance, services: AppServices, registry: Registry) => {
  const checkReadiness = createReadinessCheck(services)
  app.get('/healthz', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const fault = services.stopping?.aborted ? 'the process is stopping' : await checkReadiness()
    if (fault === undefined) return { status: 'ready' }
    return reply.status(503).header('retry-after', 2).send({ status: 'not ready', reason: fault })
  })
  const { metricsToken, demo } = services.config
  if (metricsToken === undefined && !demo) return
  app.get('/metrics', async (request, reply) => {
    if (metricsToken !== undefined && !isSameSecret(request.headers.authorization, `Bearer ${metricsToken}`))
      throw unauthorized('Please send the metrics token.')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
