import { expect } from 'vitest'
import { advanceTiers } from '../advance-tiers.ts'
import { measures } from '../measures.ts'
import { getBucketStart, type Tier, tiers } from '../tiers.ts'
import type { Row } from './telemetry-body.ts'
import type { TwoFeeds } from './two-feeds.ts'

const HOUR_MS = 3_600_000

interface Bucket {
  device: string
  at: number
  n: number
  downlink: (number | null)[]
  latency: (number | null)[]
  nonNullCounts: number[] | null
  alerts: string[] | null
}

const ALERTS: Record<number, string> = { 55: 'disabled_no_active_account', 61: 'power_disconnect_detected' }

const summary = (rows: readonly Row[], measure: (row: Row) => number | null) => {
  const values = rows.map(measure).filter((value) => value !== null)
  if (values.length === 0) return [null, null, null, null]
  const sum = values.reduce((one, other) => one + other, 0)
  return [Math.min(...values), Math.max(...values), sum, measure(rows.at(-1) as Row)].map(
    (value) => value && Math.fround(value),
  )
}

/** Computes the tier directly from all samples. Of rows with the same timestamp the first counts. */
export const bruteForce = (rows: readonly Row[], { bucketMs }: Tier): Bucket[] => {
  const first = new Map<string, Row>()
  for (const row of rows) if (!first.has(`${row.device} ${row.atMs}`)) first.set(`${row.device} ${row.atMs}`, row)
  const groups = Map.groupBy(first.values(), ({ device, atMs }) => `${device} ${getBucketStart(atMs, bucketMs)}`)
  const buckets = [...groups.values()].map((group): Bucket => {
    const inOrder = group.sort((one, other) => one.atMs - other.atMs)
    const withLatency = inOrder.filter(({ latencyMs }) => latencyMs !== null).length
    // The rows of these tests have only downlink, latency and ping drop.
    const countsByMeasure: Record<string, number> = {
      downlink: inOrder.length,
      latency: withLatency,
      pingdrop: inOrder.length,
    }
    const alerts = [...new Set(inOrder.flatMap((row) => row.alerts ?? []))].map((code) => ALERTS[code] as string).sort()
    const { device, atMs } = inOrder[0] as Row
    return {
      device,
      at: getBucketStart(atMs, bucketMs),
      n: inOrder.length,
      downlink: summary(inOrder, (row) => Math.fround(row.downlinkMbps as number)),
      latency: summary(inOrder, (row) => (row.latencyMs == null ? null : Math.fround(row.latencyMs))),
      nonNullCounts: measures.map(({ name }) => countsByMeasure[name] ?? 0),
      alerts: alerts.length > 0 ? alerts : null,
    }
  })
  return inKeyOrder(buckets)
}

const inKeyOrder = (buckets: Bucket[]) =>
  buckets.sort((one, other) => (one.device < other.device ? -1 : one.device > other.device ? 1 : one.at - other.at))

const nearly = (bucket: Bucket) => ({
  ...bucket,
  downlink: bucket.downlink.map((value) => value && Number(value.toPrecision(5))),
  latency: bucket.latency.map((value) => value && Number(value.toPrecision(5))),
})

/** Compares the tiers of two feeds with a direct computation over all samples. */
export const createTierTruth = (feeds: TwoFeeds) => {
  const startMs = feeds.nowMs.value

  const stored = async (tenantId: string, tier: Tier): Promise<Bucket[]> => {
    const rows = await feeds.rows<Record<string, never>>(
      tenantId,
      `select device_id, tier.* from ${tier.name} as tier join terminals on terminals.id = terminal_id`,
    )
    const values = (row: Record<string, number | null>, name: string) =>
      ['min', 'max', 'sum', 'last'].map((part) => row[`${name}_${part}`] as number | null)
    return inKeyOrder(
      rows.map((row) => ({
        device: row.device_id as unknown as string,
        at: (row.at as unknown as Date).getTime(),
        n: row.n as unknown as number,
        downlink: values(row, 'downlink'),
        latency: values(row, 'latency'),
        nonNullCounts: row.non_null_counts as unknown as number[] | null,
        alerts: row.alerts as unknown as string[] | null,
      })),
    )
  }

  const expectTruth = async (tenantId: string, rows: readonly Row[]) => {
    for (const tier of tiers)
      expect((await stored(tenantId, tier)).map(nearly), `${tenantId} ${tier.name}`).toEqual(
        bruteForce(rows, tier).map(nearly),
      )
  }

  const clearAll = async () => {
    for (const tenantId of ['alpha', 'beta'])
      for (const table of [
        'samples',
        'dirty_buckets',
        'rollup_watermarks',
        'feed_coverage',
        ...tiers.map(({ name }) => name),
      ])
        await feeds.rows(tenantId, `delete from ${table}`)
    feeds.nowMs.value = startMs
  }

  /** Advances the clock until every bucket is closed and computes them. */
  const closeAll = async (tenantId: 'alpha' | 'beta') => {
    const feed = feeds.reopen(tenantId, feeds[tenantId].credentialId)
    feeds.nowMs.value += 4 * HOUR_MS
    await advanceTiers(feed)
  }

  return { expectTruth, clearAll, closeAll }
}
