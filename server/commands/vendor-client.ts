import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#contract/errors.ts'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import type { RequestBudget } from '#starlink/request-budget.ts'
import type { Database, Db } from '../platform/database/database.ts'
import type { VendorCredential } from '../vendor/credentials.ts'
import { countRequests, createSharedBudget } from '../vendor/request-shares.ts'

// Somebody waits for the answer.
const TIMEOUT_MS = 20_000
const LONGEST_PAUSE_MS = 500
const RESERVED_FOR_MS = 2_000

/** Requests that are counted already, if they are sent soon. */
export interface ReservedRequests {
  count: number
  until: Date
}

/** The requests of a command, before it is begun: nobody shall wait a minute for their turn, nor be told it was the vendor. */
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
  const problem = `Starlink takes only so many requests a minute, so nothing was changed. Please try again in ${wait}.`
  throw new ApiError(429, 'too_many', problem, seconds)
}

interface Options {
  database: Database
  now: () => Date
  credential: VendorCredential
  reserved?: ReservedRequests
}

/** What is held goes first; what is sent late or again is counted anew. */
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

/** A client for one command: it tries again quickly, where that is safe, and gives up before the person does. */
export const createCommandClient = (options: Options): StarlinkClient => {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return createStarlinkClient({
    ...options.credential,
    budget: createBudget(options),
    signal,
    sleep: (ms) => sleep(Math.min(ms, LONGEST_PAUSE_MS), undefined, { signal }),
  })
}
