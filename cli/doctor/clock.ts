import { formatCount } from '#contract/format/numbers.ts'
import type { VendorAccess } from '../vendor-probe.ts'
import { type Finding, ok, warn } from './finding.ts'

const TOLERATED_S = 10
const TIMEOUT_MS = 5_000

/** Tokens, ages and statuses depend on this machine's clock; samples carry the vendor's time. */
export const compareClock = (other: string, theirs: Date, ours: Date): Finding => {
  const aheadS = (ours.getTime() - theirs.getTime()) / 1000
  const fact =
    Math.abs(aheadS) <= TOLERATED_S
      ? `this machine’s clock agrees with ${other}`
      : `this machine’s clock is ${formatCount(Math.abs(aheadS))} s ${aheadS > 0 ? 'ahead of' : 'behind'} ${other}`
  if (Math.abs(aheadS) <= TOLERATED_S) return ok('clock', fact)
  return warn('clock', fact, 'synchronize both clocks with a time service such as chrony or systemd-timesyncd')
}

/** Every HTTP response has a Date header, even an error. */
export const findVendorTime = async ({ baseUrl }: VendorAccess) => {
  try {
    const response = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await response.body?.cancel()
    const date = response.headers.get('date')
    return date === null ? undefined : new Date(date)
  } catch {
    return undefined
  }
}
