import { setTimeout as sleep } from 'node:timers/promises'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import { createRequestBudget, type RequestBudget } from '#starlink/request-budget.ts'
import type { VendorCredential } from '../vendor/credentials.ts'
import { requestsPerMinute } from '../vendor/request-shares.ts'

// Somebody waits for the answer.
const ANSWER_WITHIN_MS = 20_000
const LONGEST_PAUSE_MS = 500

const budgets = new Map<string, RequestBudget>()

/** However many people give commands, they share what the vendor allows. */
const budgetOf = ({ tenantId, id }: VendorCredential) => {
  const key = `${tenantId}:${id}`
  const known = budgets.get(key)
  if (known) return known
  const budget = createRequestBudget({ perMinute: requestsPerMinute.commands })
  budgets.set(key, budget)
  return budget
}

/** A client for one command: it tries again quickly, where that is safe, and gives up before the person does. */
export const clientForCommand = (credential: VendorCredential, answerWithinMs = ANSWER_WITHIN_MS): StarlinkClient => {
  const signal = AbortSignal.timeout(answerWithinMs)
  return createStarlinkClient({
    ...credential,
    budget: budgetOf(credential),
    signal,
    sleep: (ms) => sleep(Math.min(ms, LONGEST_PAUSE_MS), undefined, { signal }),
  })
}
