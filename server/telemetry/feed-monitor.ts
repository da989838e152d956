import { StarlinkError } from '#starlink/errors.ts'
import { isStorageFull, isUnavailable } from '../platform/database/errors.ts'
import type { FeedName } from './feed-state.ts'
import type { TierName } from './tiers.ts'

/** What operators need to know about a credential that this process reads. */
export interface MonitoredFeed {
  tenantId: string
  credentialId: number
  startedAtMs: number
  /** When each feed was last read. */
  succeededMs: Partial<Record<FeedName, number>>
  lastFailure: Partial<Record<FeedName, string>>
  newestSampleMs: number | undefined
  /** How long the current or last applied batch had waited. */
  applyLagMs: number
  /** How far a tier lags behind what could be complete. */
  getRollupLagMs: (tier: TierName) => number
  /** The share of the vendor's request budget that the last minute has used, 0 to 1. */
  getBudgetUse: () => number
}

/** Counters over every credential that this process has read since it started. */
export interface TelemetryTotals {
  batches: number
  rows: number
  skippedRows: number
  setAsideBatches: number
  /** Batches whose samples this process stored for another process's credential. */
  assistedBatches: number
  rollups: number
}

const FAILURE_KINDS = ['database', 'storage-full', 'other'] as const
type FailureKind = StarlinkError['failure'] | (typeof FAILURE_KINDS)[number]

const classify = (error: unknown): FailureKind => {
  if (error instanceof StarlinkError) return error.failure
  if (!(error instanceof Error)) return 'other'
  if (isStorageFull(error)) return 'storage-full'
  return isUnavailable(error) ? 'database' : 'other'
}

/** In-memory figures of this process's feeds, for metrics and status. */
export const createFeedMonitor = () => {
  const feeds = new Set<MonitoredFeed>()
  const totals: TelemetryTotals = {
    batches: 0,
    rows: 0,
    skippedRows: 0,
    setAsideBatches: 0,
    assistedBatches: 0,
    rollups: 0,
  }
  const failures = new Map<string, { feed: FeedName; kind: FailureKind; count: number }>()
  const requests = new Map<string, number>()
  return {
    totals,
    listFeeds: () => [...feeds],
    listFailures: () => [...failures.values()],
    /** Requests to the vendor by result: `ok`, or the kind of failure. */
    requests,
    open: (
      feed: Pick<MonitoredFeed, 'tenantId' | 'credentialId' | 'startedAtMs' | 'getRollupLagMs'>,
    ): MonitoredFeed => {
      const monitored: MonitoredFeed = {
        ...feed,
        succeededMs: {},
        lastFailure: {},
        newestSampleMs: undefined,
        applyLagMs: 0,
        getBudgetUse: () => 0,
      }
      feeds.add(monitored)
      return monitored
    },
    close: (feed: MonitoredFeed) => feeds.delete(feed),
    countFailure: (feed: FeedName, error: unknown) => {
      const kind = classify(error)
      const key = `${feed} ${kind}`
      failures.set(key, { feed, kind, count: (failures.get(key)?.count ?? 0) + 1 })
    },
    countRequest: (result: string) => requests.set(result, (requests.get(result) ?? 0) + 1),
  }
}

export type FeedMonitor = ReturnType<typeof createFeedMonitor>
