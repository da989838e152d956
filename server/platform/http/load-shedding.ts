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

let inFlight = 0

/** Handles a request unless too many are in flight. */
export const limitConcurrency = async <T>(work: () => Promise<T>): Promise<T> => {
  if (inFlight >= MAX_IN_FLIGHT) throw busy
  inFlight++
  try {
    return await work()
  } finally {
    inFlight--
  }
}
