import { backoffMs } from '../platform/worker/pause.ts'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 5 * 60_000
const MAX_DOMAINS = 1_000

interface SlowDomain {
  timeouts: number
  retryAtMs: number
  isTrying: boolean
}

const toKey = (tenantId: string, recipient: string) =>
  `${tenantId} ${recipient.slice(recipient.lastIndexOf('@') + 1).toLowerCase()}`

/**
 * Recipients' domains at which the mail server hung, for example while it asked another one. Their mails wait, so that they
 * do not take the turns of others, and one of them at a time tries again. Per tenant: a mail of one, whose content may be the
 * reason, does not delay those of another.
 */
export const createSlowDomains = (now: () => Date) => {
  const slow = new Map<string, SlowDomain>()
  return {
    /** Whether a message may be sent. */
    tryEnter: (tenantId: string, recipient: string) => {
      const domain = slow.get(toKey(tenantId, recipient))
      if (!domain) return true
      const waitMs = domain.retryAtMs - now().getTime()
      // A longer pause began before the clock was set back.
      if (domain.isTrying || (waitMs > 0 && waitMs <= LONGEST_PAUSE_MS)) return false
      domain.isTrying = true
      return true
    },
    leave: (tenantId: string, recipient: string, hasTimedOut: boolean) => {
      const name = toKey(tenantId, recipient)
      const timeouts = (slow.get(name)?.timeouts ?? 0) + 1
      slow.delete(name)
      if (!hasTimedOut) return
      const retryAtMs = now().getTime() + backoffMs(timeouts, FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
      slow.set(name, { timeouts, retryAtMs, isTrying: false })
      for (const oldest of slow.keys()) if (slow.size > MAX_DOMAINS) slow.delete(oldest)
    },
  }
}
