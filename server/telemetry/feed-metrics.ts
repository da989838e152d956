import { Counter, Gauge, type Registry } from 'prom-client'
import { addGauge } from '../platform/gauge.ts'
import type { FeedMonitor, MonitoredFeed, TelemetryTotals } from './feed-monitor.ts'
import type { FeedName } from './feed-state.ts'
import { tiers } from './tiers.ts'

const FEEDS: readonly FeedName[] = ['inventory', 'usage', 'telemetry']

/**
 * Metrics of the credentials that this process reads. The tenant is not a label, because thousands of tenants would mean
 * thousands of series. Each gauge shows the worst credential; `dishboard status` names it.
 */
export const registerFeedMetrics = (registry: Registry, monitor: FeedMonitor, now: () => Date) => {
  const registers = [registry]
  const findWorst = (read: (feed: MonitoredFeed) => number | undefined) =>
    monitor.listFeeds().reduce((worst, feed) => Math.max(worst, read(feed) ?? 0), 0)
  const getAgeS = (sinceMs: number) => (now().getTime() - sinceMs) / 1000

  const addCounter = (name: string, help: string, field: keyof TelemetryTotals) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(monitor.totals[field])
      },
    })

  addGauge(
    registry,
    'vendor_credentials',
    'Vendor credentials that this process reads',
    () => monitor.listFeeds().length,
  )
  new Gauge({
    name: 'vendor_feed_age_seconds',
    help: 'Time since a feed was last read, of the credential with the oldest',
    labelNames: ['feed'],
    registers,
    collect() {
      for (const feed of FEEDS)
        this.set(
          { feed },
          findWorst(({ succeededMs, startedAtMs }) => getAgeS(succeededMs[feed] ?? startedAtMs)),
        )
    },
  })
  addGauge(
    registry,
    'telemetry_newest_sample_age_seconds',
    'Age of the newest sample, of the credential whose newest is the oldest',
    () => findWorst(({ newestSampleMs }) => newestSampleMs && getAgeS(newestSampleMs)),
  )
  addGauge(registry, 'telemetry_apply_lag_seconds', 'How long received telemetry waits until it is applied', () =>
    findWorst(({ applyLagMs }) => applyLagMs / 1000),
  )
  new Gauge({
    name: 'telemetry_rollup_lag_seconds',
    help: 'How far a tier is behind what could be complete',
    labelNames: ['tier'],
    registers,
    collect() {
      for (const { name: tier } of tiers)
        this.set(
          { tier },
          findWorst(({ getRollupLagMs }) => getRollupLagMs(tier) / 1000),
        )
    },
  })
  addGauge(
    registry,
    'vendor_request_budget_used_ratio',
    'Share of the vendor’s requests per minute that feeds have used',
    () => findWorst(({ getBudgetUse }) => getBudgetUse()),
  )
  addCounter('telemetry_batches_total', 'Batches of telemetry that were applied', 'batches')
  addCounter('telemetry_rows_total', 'Rows of telemetry that were applied', 'rows')
  addCounter('telemetry_skipped_rows_total', 'Rows of unknown devices or with a wrong time', 'skippedRows')
  addCounter('telemetry_set_aside_batches_total', 'Batches that could not be applied', 'setAsideBatches')
  addCounter(
    'telemetry_assisted_batches_total',
    'Batches of credentials that another process reads, whose samples this one has stored',
    'assistedBatches',
  )
  addCounter('telemetry_rollups_total', 'Buckets of tiers that were computed', 'rollups')
  new Counter({
    name: 'vendor_feed_failures_total',
    help: 'Attempts to read a feed that failed, by kind',
    labelNames: ['feed', 'kind'],
    registers,
    collect() {
      this.reset()
      for (const { feed, kind, count } of monitor.listFailures()) this.inc({ feed, kind }, count)
    },
  })
  new Counter({
    name: 'vendor_requests_total',
    help: 'Requests to the vendor by result',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      for (const [result, count] of monitor.requests) this.inc({ result }, count)
    },
  })
}
