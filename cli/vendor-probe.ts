import { setTimeout as pause } from 'node:timers/promises'
import { createStarlinkClient } from '#starlink/client.ts'
import { StarlinkError } from '#starlink/errors.ts'

export interface VendorAccess {
  baseUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
}

// An operator is waiting, so the backoff is shorter than in the worker.
const LONGEST_PAUSE_MS = 300

/** Gets a token and reads the account. Returns the account number or the vendor's error; changes nothing. */
export const probeVendor = async (access: VendorAccess): Promise<{ account: string } | { fault: string }> => {
  const sleep = (ms: number) => pause(Math.min(ms, LONGEST_PAUSE_MS))
  try {
    const { accountNumber } = await createStarlinkClient({ ...access, sleep }).getAccount()
    return { account: accountNumber }
  } catch (error) {
    if (error instanceof StarlinkError) return { fault: error.message }
    throw error
  }
}
