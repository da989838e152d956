import fastifyUnderPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '#contract/errors.ts'
import type { Database } from '../database/database.ts'

// A queue for the database that is longer than this takes seconds: whoever joins it would wait for nothing, as would
// everybody behind.
export const MAX_WAITING_FOR_DATABASE = 200
// All that is done for requests at a time. A wave of them is in the house before any of it waits for the database.
export const MAX_IN_FLIGHT = 150
const RETRY_AFTER_S = 2
// Made once: whoever is turned away should cost as little as can be.
const busy = new ApiError(503, 'busy', 'The service is busy. Please try again.', RETRY_AFTER_S)

/** Turns requests away at the door, at once, while there is more to do than can be done. */
export const registerLoadShedding = async (
  app: FastifyInstance,
  { countWaiting }: Pick<Database, 'countWaiting'>,
  { maxEventLoopDelayMs }: { maxEventLoopDelayMs: number },
) => {
  await app.register(fastifyUnderPressure, { maxEventLoopDelay: maxEventLoopDelayMs, retryAfter: RETRY_AFTER_S })
  app.addHook('onRequest', async (request) => {
    if (countWaiting() >= MAX_WAITING_FOR_DATABASE && request.url.startsWith('/api/')) throw busy
  })
}

let inFlight = 0

/** Does what a request asks for, unless too much is being done already. */
export const limitConcurrency = async <T>(work: () => Promise<T>): Promise<T> => {
  if (inFlight >= MAX_IN_FLIGHT) throw busy
  inFlight++
  try {
    return await work()
  } finally {
    inFlight--
  }
}
