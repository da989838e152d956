import fastifyUnderPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '#contract/errors.ts'
import type { Database } from '../database/database.ts'
import { isDatabaseBusy } from '../database/last-known.ts'
import { isApiRequest } from './api-request.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served under any load: what a page needs to load and to say that the server is busy. */
    isNeverShed?: boolean
  }
}

// The maximum number of concurrent requests. A burst is accepted before any of its requests waits for the database.
export const MAX_IN_FLIGHT = 150
const RETRY_AFTER_S = 2
// Created once: refusing a request should cost as little as possible.
const busy = new ApiError(
  503,
  'busy',
  'The service is busy, nothing was changed. Please try again in a few seconds.',
  RETRY_AFTER_S,
)

/** Pages and files are served under any load: otherwise users could not see that the server is busy. */
const isShed = (request: FastifyRequest) => isApiRequest(request) && !request.routeOptions.config.isNeverShed

/** Refuses data calls immediately while the server is overloaded. */
export const registerLoadShedding = async (
  app: FastifyInstance,
  database: Pick<Database, 'countWaiting'>,
  { maxEventLoopDelayMs }: { maxEventLoopDelayMs: number },
) => {
  await app.register(fastifyUnderPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    // The plugin treats an interval without a sample as an infinite delay, so no interval may be shorter than the limit.
    sampleInterval: Number.isFinite(maxEventLoopDelayMs) ? maxEventLoopDelayMs : undefined,
    // Not `retryAfter`: that option refuses every request.
    pressureHandler: async (request) => {
      if (isShed(request)) throw busy
    },
  })
  app.addHook('onRequest', async (request) => {
    if (isDatabaseBusy(database) && isShed(request)) throw busy
  })
}

/** Counts requests per tenant, and refuses one at the concurrency limit unless its tenant is below its fair share. */
const createLimit = () => {
  const inFlight = new Map<string, number>()
  let total = 0

  /** Keeps one tenant from starving the others. At most twice the limit is then in flight. */
  const hasLessThanItsShare = (tenantId: string) => {
    const tenants = inFlight.size + (inFlight.has(tenantId) ? 0 : 1)
    return (inFlight.get(tenantId) ?? 0) < Math.floor(MAX_IN_FLIGHT / tenants)
  }

  const add = (tenantId: string, change: 1 | -1) => {
    const count = (inFlight.get(tenantId) ?? 0) + change
    if (count === 0) inFlight.delete(tenantId)
    else inFlight.set(tenantId, count)
    total += change
  }

  return async <T>(tenantId: string, work: () => Promise<T>): Promise<T> => {
    if (total >= MAX_IN_FLIGHT && !hasLessThanItsShare(tenantId)) throw busy
    add(tenantId, 1)
    try {
      return await work()
    } finally {
      add(tenantId, -1)
    }
  }
}

const limitHandling = createLimit()
const limitIdentifying = createLimit()

/** Handles a tenant's request unless too many are in flight. */
export const limitConcurrency = <T>(tenantId: string | undefined, work: () => Promise<T>) =>
  limitHandling(tenantId ?? '', work)

/**
 * Identifies the sender of a request unless too many are in this step. Counted separately, because the tenant is not
 * known yet.
 */
export const limitIdentification = <T>(work: () => Promise<T>) => limitIdentifying('', work)
