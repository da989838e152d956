import type { VendorAccess } from '../vendor-probe.ts'
import { type Finding, ok, warn } from './finding.ts'

const TOLERATED_S = 10
const TIMEOUT_MS = 5_000

/** Tokens, ages and statuses are reckoned by this machine's clock, and samples carry the vendor's. */
export const compareClock = (other: string, theirs: Date, ours: Date): Finding => {
  const aheadS = (ours.getTime() - theirs.getTime()) / 1000
  const fact =
    Math.abs(aheadS) <= TOLERATED_S
      ? `this clock agrees with that of ${other}`
      : `this clock is ${Math.abs(aheadS).toFixed(0)} s ${aheadS > 0 ? 'ahead of' : 'behind'} that of ${other}`
  if (Math.abs(aheadS) <= TOLERATED_S) return ok('clock', fact)
  return warn('clock', fact, 'let a time service (chrony, systemd-timesyncd) set the clock of both machines')
}

/** Every HTTP answer carries its sender's time, even a refusal. */
export const findVendorTime = async ({ baseUrl }: VendorAccess) => {
  try {
    const answer = await fetch(baseUrl, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    await answer.body?.cancel()
    const date = answer.headers.get('date')
    return date === null ? undefined : new Date(date)
  } catch {
    return undefined
  }
}
