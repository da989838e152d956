import fastifyUnderPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '#contract/errors.ts'
import type { Database } from '../database/database.ts'
import { isDatabaseBusy } from '../database/last-known.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Served under any load: what a page needs to appear, and to say that the server is busy. */
    isNeverShed?: boolean
  }
}

// Requests handled at a time. A wave of them is accepted before any of them waits for the database.
export const MAX_IN_FLIGHT = 150
const RETRY_AFTER_S = 2
// Created once: a refused request should cost as little as possible.
const busy = new ApiError(
  503,
  'busy',
  'The service is busy, nothing was changed. Please try again in a few seconds.',
  RETRY_AFTER_S,
)

/** Pages and files are served whatever the load: without them nobody could see that the server is busy. */
const isShed = ({ url, routeOptions }: FastifyRequest) => url.startsWith('/api/') && !routeOptions.config.isNeverShed

/** Refuses data calls at once while the server is overloaded. */
export const registerLoadShedding = async (
  app: FastifyInstance,
  database: Pick<Database, 'countWaiting'>,
  { maxEventLoopDelayMs }: { maxEventLoopDelayMs: number },
) => {
  await app.register(fastifyUnderPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    // The plugin takes an interval without a sample for an infinite delay, so no interval may be shorter than the limit.
    sampleInterval: Number.isFinite(maxEventLoopDelayMs) ? maxEventLoopDelayMs : undefined,
    // Not `retryAfter`: that refuses every request.
    pressureHandler: async (request) => {
      if (isShed(request)) throw busy
    },
  })
  app.addHook('onRequest', async (request) => {
    if (isDatabaseBusy(database) && isShed(request)) throw busy
  })
}

/** Counts requests by tenant, and refuses one while as many are in flight as may be, unless its tenant has less than its share. */
const createLimit = () => {
  const inFlight = new Map<string, number>()
  let total = 0

  /** So that the requests of one tenant do not shut out those of another. At most twice as many are then in flight. */
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

const handle = createLimit()
const identify = createLimit()

/** Handles a request of a tenant unless too many are in flight. */
export const limitConcurrency = <T>(tenantId: string | undefined, work: () => Promise<T>) =>
  handle(tenantId ?? '', work)

/** Finds out whose a request is unless too many are at it. Counted apart: until then the tenant is not known. */
export const limitIdentification = <T>(work: () => Promise<T>) => identify('', work)
