import fastifyUnderPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '#contract/errors.ts'
import type { Database } from '../database/database.ts'

// A longer queue for the database takes seconds: requests that join it would time out, and so would all behind them.
export const MAX_WAITING_FOR_DATABASE = 200
// Requests handled at a time. A wave of them is accepted before any of them waits for the database.
export const MAX_IN_FLIGHT = 150
const RETRY_AFTER_S = 2
// Created once: a refused request should cost as little as possible.
const busy = new ApiError(503, 'busy', 'The service is busy. Please try again.', RETRY_AFTER_S)

/** Refuses requests at once while the server is overloaded. */
export const registerLoadShedding = async (
  app: FastifyInstance,
  { countWaiting }: Pick<Database, 'countWaiting'>,
  { maxEventLoopDelayMs }: { maxEventLoopDelayMs: number },
) => {
  await app.register(fastifyUnderPressure, {
    maxEventLoopDelay: maxEventLoopDelayMs,
    // The plugin takes an interval without a sample for an infinite delay, so no interval may be shorter than the limit.
    sampleInterval: Number.isFinite(maxEventLoopDelayMs) ? maxEventLoopDelayMs : undefined,
    retryAfter: RETRY_AFTER_S,
  })
  app.addHook('onRequest', async (request) => {
    if (countWaiting() >= MAX_WAITING_FOR_DATABASE && request.url.startsWith('/api/')) throw busy
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
