import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import type { Job, Queue } from '../platform/worker/queues.ts'
import { feedLimits } from '../telemetry/feed.ts'
import { createFeedMonitor, type FeedMonitor } from '../telemetry/feed-monitor.ts'
import { pollerLimits } from '../telemetry/poller.ts'
import type { Spool } from '../telemetry/spool.ts'
import { runCredential, syncLimits, type VendorLimits } from './credential-work.ts'
import { findCredential } from './credentials.ts'
import type { GroupRule } from './store-lines.ts'

export const vendorLimits: VendorLimits = { ...feedLimits, ...pollerLimits, ...syncLimits }

export interface VendorOptions {
  database: Database
  /** Holds telemetry until the database has it. */
  spool: Spool
  secrets: Secrets
  /** Receives the metrics of the feeds. */
  monitor?: FeedMonitor
  log: FastifyBaseLogger
  now: () => Date
  limits?: Partial<VendorLimits>
  /** Assigns a new line to a customer. Without a rule the line has none until an administrator assigns one. */
  assignGroup?: GroupRule
}

// A feed that waits for a free slot would get no telemetry at all, so one process can run every credential.
const MAX_FEEDS = 1_000_000
const retry = { firstMs: 5_000, longestMs: 5 * 60_000 }

/** The queues that read from the vendor. Each credential has one job, which runs until it is stopped. */
export const createVendorQueues = ({
  database,
  spool,
  secrets,
  monitor = createFeedMonitor(),
  log,
  now,
  limits,
  assignGroup,
}: VendorOptions) => {
  /** Enqueues the feeds that have no job yet, as after an upgrade or a restore. Running feeds are not restarted. */
  const requestMissingFeeds = ({ tenantId }: Job) =>
    database.transaction({ tenantId }, async (db) => {
      const credentials = await db
        .selectFrom('vendor_credentials')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .execute()
      const jobs = await db
        .selectFrom('jobs')
        .select('subject')
        .where('queue', '=', 'vendor-feeds')
        .where('tenant_id', '=', tenantId)
        .execute()
      const subjects = new Set(jobs.map(({ subject }) => subject))
      for (const { id } of credentials)
        if (!subjects.has(String(id))) await enqueue(db, 'vendor-feeds', tenantId, { subject: String(id) })
      return undefined
    })

  const runFeed = async ({ tenantId, subject }: Job, stop: AbortSignal) => {
    const credentialId = Number(subject)
    const credential = await database.transaction({ tenantId }, (db) =>
      findCredential(db, secrets, tenantId, credentialId),
    )
    if (!credential) return undefined
    log.info({ tenantId, credentialId }, 'This process now reads the vendor for a credential.')
    await runCredential({
      credential,
      database,
      spool,
      monitor,
      log,
      now: () => now().getTime(),
      limits: { ...vendorLimits, ...limits },
      assignGroup,
      stop,
    })
    return undefined
  }

  return {
    'vendor-credentials': { seed: 'tenants', concurrency: 2, retry, run: requestMissingFeeds },
    'vendor-feeds': { concurrency: MAX_FEEDS, retry, restartsOnRequest: true, isSpread: true, run: runFeed },
  } satisfies Record<string, Queue>
}
