import { setTimeout as pause } from 'node:timers/promises'
import { createStarlinkClient } from '#starlink/client.ts'
import { StarlinkError } from '#starlink/errors.ts'

export interface VendorAccess {
  baseUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
}

// A person waits for the answer; the connector's own patience is for a process that has all day.
const LONGEST_PAUSE_MS = 300

/** Mints a token and reads the account: the number of the vendor account, or what the vendor said. Changes nothing. */
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
