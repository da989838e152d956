import { setTimeout as sleep } from 'node:timers/promises'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import type { VendorCredential } from '../vendor/credentials.ts'

// Somebody waits for the answer.
const ANSWER_WITHIN_MS = 20_000
const LONGEST_PAUSE_MS = 500

/** A client for one command: it tries again quickly, where that is safe, and gives up before the person does. */
export const clientForCommand = (credential: VendorCredential): StarlinkClient => {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  return createStarlinkClient({
    ...credential,
    signal,
    sleep: (ms) => sleep(Math.min(ms, LONGEST_PAUSE_MS), undefined, { signal }),
  })
}
