import type { FastifyBaseLogger } from 'fastify'
import { createStarlinkClient } from '#starlink/client.ts'
import { createRequestBudget } from '#starlink/request-budget.ts'
import type { Database } from '../platform/database/database.ts'
import { backoffMs, pause } from '../platform/worker/pause.ts'
import { createHelpRequest } from '../telemetry/assist.ts'
import { listWatermarks } from '../telemetry/dirty-buckets.ts'
import { createFeed, type Feed, type FeedLimits } from '../telemetry/feed.ts'
import { createFeedHealth, type FeedHealth } from '../telemetry/feed-health.ts'
import type { FeedMonitor } from '../telemetry/feed-monitor.ts'
import { type FeedName, isInventoryComplete, listFeedStates } from '../telemetry/feed-state.ts'
import { type PollerLimits, runPoller } from '../telemetry/poller.ts'
import type { Spool } from '../telemetry/spool.ts'
import type { VendorCredential } from './credentials.ts'
import { requestsPerMinute } from './request-shares.ts'
import type { GroupRule } from './store-lines.ts'
import { syncInventory } from './sync-inventory.ts'
import { syncUsage } from './sync-usage.ts'

export interface SyncLimits {
  inventoryEveryMs: number
  usageEveryMs: number
  syncRetryFirstMs: number
  requestsPerMinute: number
  /** How long a response in flight may still take after `stop` is aborted. */
  stopWithinMs: number
}

export const syncLimits: SyncLimits = {
  inventoryEveryMs: 10 * 60_000,
  usageEveryMs: 60 * 60_000,
  syncRetryFirstMs: 5_000,
  requestsPerMinute: requestsPerMinute.feeds,
  stopWithinMs: 12_000,
}

export type VendorLimits = FeedLimits & PollerLimits & SyncLimits

interface Options {
  credential: VendorCredential
  database: Database
  spool: Spool
  monitor: FeedMonitor
  log: FastifyBaseLogger
  now: () => number
  limits: VendorLimits
  assignGroup?: GroupRule | undefined
  stop: AbortSignal
}

// The pages compare this month with the previous one and show sixty days. The current cycle comes first, because pools and
// most pages need it, and storing the days of two more takes minutes for a large account.
const PREVIOUS_CYCLES_AT_FIRST = [0, 2]
const PREVIOUS_CYCLES_LATER = [1]

/** Reads inventory, usage and telemetry for one credential, each at its own interval. */
export const runCredential = async (options: Options): Promise<void> => {
  const { credential, database, spool, monitor, now, limits, assignGroup, stop } = options
  const { tenantId, id: credentialId } = credential
  const log = options.log.child({ tenantId, credentialId })
  const feed: Feed = createFeed({
    tenantId,
    credentialId,
    database,
    monitor,
    limits,
    now,
    log,
    requestHelp: createHelpRequest(database, () => feed),
  })
  const budget = createRequestBudget({ perMinute: limits.requestsPerMinute, now })
  feed.monitored.getBudgetUse = () => budget.countUsed() / limits.requestsPerMinute
  const createHealth = (name: FeedName) =>
    createFeedHealth({ database, monitor, monitored: feed.monitored, feed: name, log, now })
  const clientUntil = (signal: AbortSignal) =>
    createStarlinkClient({
      ...credential,
      budget,
      now,
      signal,
      onRequest: ({ failure }) => monitor.countRequest(failure?.failure ?? 'ok'),
      onWarning: (message) => feed.warnOnce('The vendor sent an unexpected response.', message),
    })

  // The vendor drops a batch once it has sent it, so a response in flight is awaited.
  const disconnect = new AbortController()
  let disconnectTimer: NodeJS.Timeout | undefined
  const disconnectSoon = () => {
    disconnectTimer = setTimeout(() => disconnect.abort(), limits.stopWithinMs)
  }
  if (stop.aborted) {
    monitor.close(feed.monitored)
    return
  }
  stop.addEventListener('abort', disconnectSoon, { once: true })

  const client = clientUntil(stop)
  // Rows of devices that are not in the inventory yet would be lost.
  const listed = Promise.withResolvers<void>()
  stop.addEventListener('abort', () => listed.resolve(), { once: true })
  const inventory = async () => {
    const options = { database, client, tenantId, credentialId, now, assignGroup }
    // A read that fails has stored its pages before.
    const count = await syncInventory(options).finally(() => feed.invalidateDevices())
    listed.resolve()
    if (count.changedLines > 0) log.info(count, 'The inventory was updated.')
  }
  let cycles = PREVIOUS_CYCLES_AT_FIRST
  const usage = async () => {
    const { warnOnce } = feed
    for (const previousBillingCycles of cycles)
      await syncUsage({ database, client, tenantId, credentialId, now, warnOnce, previousBillingCycles })
    cycles = PREVIOUS_CYCLES_LATER
  }
  const schedule = { firstRetryMs: limits.syncRetryFirstMs, stop }
  const telemetry = {
    feed,
    spool,
    client: clientUntil(disconnect.signal),
    limits,
    report: createHealth('telemetry'),
    stop,
  }
  try {
    await restoreFigures(feed)
    if (await database.transaction({ tenantId }, (db) => isInventoryComplete(db, { tenantId, credentialId })))
      listed.resolve()
    await Promise.all([
      repeat({ ...schedule, work: inventory, report: createHealth('inventory'), everyMs: limits.inventoryEveryMs }),
      listed.promise.then(() => runPoller(telemetry)),
      listed.promise.then(() =>
        repeat({ ...schedule, work: usage, report: createHealth('usage'), everyMs: limits.usageEveryMs }),
      ),
    ])
  } finally {
    stop.removeEventListener('abort', disconnectSoon)
    clearTimeout(disconnectTimer)
    monitor.close(feed.monitored)
  }
}

/** Resumes the ages from where the previous process left off. */
const restoreFigures = async ({ database, tenantId, credentialId, monitored, completeUntilMs }: Feed) => {
  const scope = { tenantId, credentialId }
  const { states, watermarks } = await database.transaction({ tenantId }, async (db) => ({
    states: await listFeedStates(db, scope),
    watermarks: await listWatermarks(db, scope),
  }))
  for (const { feed, last_success_at, newest_sample_at } of states) {
    if (last_success_at) monitored.succeededMs[feed] = last_success_at.getTime()
    if (newest_sample_at) monitored.newestSampleMs = newest_sample_at.getTime()
  }
  for (const [tier, untilMs] of watermarks) completeUntilMs.set(tier, untilMs)
}

interface RepeatOptions {
  work: () => Promise<void>
  report: FeedHealth
  everyMs: number
  firstRetryMs: number
  stop: AbortSignal
}

const LONGEST_RETRY_MS = 5 * 60_000

/** Repeats the work at its interval. A failure is retried with backoff and never ends the loop. */
const repeat = async ({ work, report, everyMs, firstRetryMs, stop }: RepeatOptions) => {
  let failures = 0
  while (!stop.aborted) {
    try {
      await work()
      failures = 0
      await report.succeeded({ alreadyRecorded: true })
      await pause(everyMs, stop)
    } catch (error) {
      if (stop.aborted) return
      const retryInMs = backoffMs(++failures, firstRetryMs, LONGEST_RETRY_MS)
      await report.failed(error, { retryInMs, isLogged: true })
      await pause(retryInMs, stop)
    }
  }
}
