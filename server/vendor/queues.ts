import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { pause } from '../platform/worker/pause.ts'
import { feedLimits } from '../telemetry/feed.ts'
import { pollerLimits } from '../telemetry/poller.ts'
import { runCredential, syncLimits, type VendorLimits } from './credential-work.ts'
import { listCredentials, type VendorCredential } from './credentials.ts'
import { createLeadership, type Leadership } from './leadership.ts'
import type { GroupRule } from './store-lines.ts'

export const vendorLimits: VendorLimits = { ...feedLimits, ...pollerLimits, ...syncLimits }

export interface VendorOptions {
  database: Database
  secrets: Secrets
  log: FastifyBaseLogger
  now: () => Date
  limits?: Partial<VendorLimits>
  /** Which customer a new line belongs to; without a rule nobody's until an administrator says so. */
  assignGroup?: GroupRule
}

export interface VendorWork {
  stop: () => Promise<void>
}

const SCAN_EVERY_MS = 10_000
const LEAD_AGAIN_AFTER_MS = 5_000

/**
 * Does the vendor's work for every credential of every tenant, also for those that are added later. Of several processes
 * one works for each credential, another takes over when it is gone.
 */
export const startVendorWork = (options: VendorOptions): VendorWork => {
  const { database, secrets, log } = options
  const now = () => options.now().getTime()
  const limits = { ...vendorLimits, ...options.limits }
  const stopping = new AbortController()
  const leadership = createLeadership(database.pool.options)
  const working = new Map<string, { settings: string; stop: AbortController; done: Promise<void> }>()
  let failing = false

  const begin = (key: string, credential: VendorCredential) => {
    const stop = new AbortController()
    const done = leadAndWork({
      leadership,
      name: `vendor:${key}`,
      log,
      stop: AbortSignal.any([stopping.signal, stop.signal]),
      work: (signal) =>
        runCredential({ credential, database, log, now, limits, assignGroup: options.assignGroup, stop: signal }),
    })
    working.set(key, { settings: JSON.stringify(credential), stop, done })
  }

  const scan = async () => {
    const tenants = await database.outsideTenants.selectFrom('tenants').select('id').execute()
    const seen = new Set<string>()
    for (const { id: tenantId } of tenants) {
      const credentials = await database.transaction({ tenantId }, (db) => listCredentials(db, secrets, tenantId))
      for (const credential of credentials) {
        const key = `${tenantId}:${credential.id}`
        seen.add(key)
        const running = working.get(key)
        if (running?.settings === JSON.stringify(credential)) continue
        running?.stop.abort()
        await running?.done
        if (!stopping.signal.aborted) begin(key, credential)
      }
    }
    for (const [key, { stop }] of working) {
      if (seen.has(key)) continue
      stop.abort()
      working.delete(key)
    }
  }

  const scanning = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await scan()
        failing = false
      } catch (error) {
        if (!failing) log.error({ err: error }, 'The vendor credentials cannot be read now; tried again.')
        failing = true
      }
      await pause(SCAN_EVERY_MS, stopping.signal)
    }
  })()

  return {
    stop: async () => {
      stopping.abort()
      await scanning
      await Promise.all([...working.values()].map(({ done }) => done))
      await leadership.close()
    },
  }
}

interface Leading {
  leadership: Leadership
  name: string
  log: FastifyBaseLogger
  stop: AbortSignal
  work: (signal: AbortSignal) => Promise<void>
}

const leadAndWork = async ({ leadership, name, log, stop, work }: Leading) => {
  let failing = false
  while (!stop.aborted) {
    try {
      const term = await leadership.tryLead(name)
      if (term) {
        log.info({ lock: name }, 'This process now works for a credential.')
        await work(AbortSignal.any([stop, term.lost])).finally(term.release)
        failing = false
        if (!stop.aborted) log.warn({ lock: name }, 'The lock for a credential was lost; trying to lead again.')
      }
    } catch (error) {
      if (!stop.aborted && !failing)
        log.error({ err: error, lock: name }, 'Work for a credential ended; it is begun again.')
      failing = true
    }
    await pause(LEAD_AGAIN_AFTER_MS, stop)
  }
}
