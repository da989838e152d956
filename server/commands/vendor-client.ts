import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '#contract/errors.ts'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import { createRequestBudget, type RequestBudget, type SharedBudget } from '#starlink/request-budget.ts'
import type { VendorCredential } from '../vendor/credentials.ts'
import { requestsPerMinute } from '../vendor/request-shares.ts'

// Somebody waits for the answer.
const ANSWER_WITHIN_MS = 20_000
const HELD_FOR_MS = ANSWER_WITHIN_MS + 10_000
const LONGEST_PAUSE_MS = 500

const budgets = new Map<string, SharedBudget>()

/** However many people give commands, they share what the vendor allows. */
const budgetOf = ({ tenantId, id }: VendorCredential) => {
  const key = `${tenantId}:${id}`
  const known = budgets.get(key)
  if (known) return known
  const budget = createRequestBudget({ perMinute: requestsPerMinute.commands })
  budgets.set(key, budget)
  return budget
}

/** The requests of a command, before it is begun: nobody shall wait a minute for their turn, nor be told it was the vendor. */
export const holdRequests = (credential: VendorCredential, count: number): RequestBudget => {
  const held = budgetOf(credential).hold(count, HELD_FOR_MS)
  if (typeof held !== 'number') return held
  const seconds = Math.ceil(held / 1000)
  const wait = `${seconds} second${seconds === 1 ? '' : 's'}`
  const problem = `Starlink takes only so many requests a minute, so nothing was changed. Please try again in ${wait}.`
  throw new ApiError(429, 'too_many', problem, seconds)
}

/** A client for one command: it tries again quickly, where that is safe, and gives up before the person does. */
export const clientForCommand = (
  credential: VendorCredential,
  budget: RequestBudget = budgetOf(credential),
): StarlinkClient => {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  return createStarlinkClient({
    ...credential,
    budget,
    signal,
    sleep: (ms) => sleep(Math.min(ms, LONGEST_PAUSE_MS), undefined, { signal }),
  })
}
