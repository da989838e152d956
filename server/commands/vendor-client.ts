import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#contract/errors.ts'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import type { RequestBudget } from '#starlink/request-budget.ts'
import type { Database, Db } from '../platform/database/database.ts'
import type { VendorCredential } from '../vendor/credentials.ts'
import { countRequests, createSharedBudget } from '../vendor/request-shares.ts'

// A user waits for the response.
const TIMEOUT_MS = 20_000
const LONGEST_PAUSE_MS = 500
const RESERVED_FOR_MS = 2_000

/** Requests that are already counted, if they are sent before `until`. */
export interface ReservedRequests {
  count: number
  until: Date
}

/** Reserves the requests of a command before it starts, so that a user is refused immediately instead of waiting. */
export const reserveRequests = async (
  db: Db,
  credential: VendorCredential,
  count: number,
  now: Date,
): Promise<ReservedRequests> => {
  const waitMs = await countRequests(db, { credential, share: 'commands', count, now, sentWithinMs: RESERVED_FOR_MS })
  if (waitMs === 0) return { count, until: new Date(now.getTime() + RESERVED_FOR_MS) }
  const seconds = Math.ceil(waitMs / 1000)
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  const problem = `Starlink limits the requests per minute, so nothing was changed. Please try again in ${wait}.`
  throw new ApiError(429, 'too_many', problem, seconds)
}

interface Options {
  database: Database
  now: () => Date
  credential: VendorCredential
  reserved?: ReservedRequests
}

/** Reserved requests are used first. Late and repeated requests are counted again. */
const createBudget = ({ database, now, credential, reserved }: Options): RequestBudget => {
  const shared = createSharedBudget({ database, now, credential, share: 'commands' })
  let left = reserved?.count ?? 0
  return {
    take: async (signal) => {
      if (reserved && left > 0 && now() <= reserved.until) left--
      else await shared.take(signal)
    },
  }
}

/** A client for one command. It retries quickly where that is safe, and gives up before the user would. */
export const createCommandClient = (options: Options): StarlinkClient => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return createStarlinkClient({
    ...options.credential,
    budget: createBudget(options),
    signal,
    sleep: (ms) => sleep(Math.min(ms, LONGEST_PAUSE_MS), undefined, { signal }),
  })
}
