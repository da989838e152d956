import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { measures } from './measures.ts'
import type { TerminalRows } from './stage-samples.ts'
import { forEachBucket, type TierName, tiers } from './tiers.ts'

const valueIndexes = measures.map(({ valueIndex }) => valueIndex)
const FIELDS = 5
const N = measures.length * FIELDS
const NEWEST_US = N + 1

/** A bucket of one terminal. `values` holds min, max, sum, last and the non-null count of each measure, in the order of `measures`. */
export interface Rollup {
  terminalId: number
  n: number
  values: Float64Array
  alerts: string[] | null
}

interface Bucket {
  samples: number
  sums: Map<number, Float64Array>
  alerts: Map<number, Set<string>>
}

const emptySum = () => {
  const sum = new Float64Array(NEWEST_US + 1)
  for (let at = 0; at < N; at += FIELDS) {
    sum[at] = Number.POSITIVE_INFINITY
    sum[at + 1] = Number.NEGATIVE_INFINITY
    sum[at + 3] = Number.NaN
  }
  return sum
}

const addValue = (sum: Float64Array, at: number, reported: number, isNewest: boolean) => {
  // Rounds as PostgreSQL's real does.
  const value = Math.fround(reported)
  if (Number.isFinite(value)) {
    if (value < (sum[at] as number)) sum[at] = value
    if (value > (sum[at + 1] as number)) sum[at + 1] = value
    sum[at + 2] = (sum[at + 2] as number) + value
    sum[at + 4] = (sum[at + 4] as number) + 1
  }
  if (isNewest) sum[at + 3] = value
}

const addTo = (sum: Float64Array, sample: TerminalSample) => {
  const isNewest = sample.atUs >= (sum[NEWEST_US] as number)
  if (isNewest) sum[NEWEST_US] = sample.atUs
  sum[N] = (sum[N] as number) + 1
  const { values } = sample
  for (let place = 0; place < valueIndexes.length; place++)
    addValue(sum, place * FIELDS, values[valueIndexes[place] as number] as number, isNewest)
}

// Each bucket is taken when it closes. A bucket evicted before that is computed from its samples.
const MAX_BUCKETS = 100

const fromSamples = tiers.filter(({ from }) => from === 'samples')

/**
 * Accumulates samples as they arrive, so that a bucket does not have to be read back when it closes. A bucket is valid
 * only if it has seen every sample that the feed stored in it: compare `countSamples` with the database's count.
 */
export const createRollupAccumulator = () => {
  const buckets = new Map<string, Bucket>()
  const buildKey = (tier: TierName, atMs: number) => `${tier} ${atMs}`
  const getBucket = (tier: TierName, atMs: number) => {
    const key = buildKey(tier, atMs)
    let bucket = buckets.get(key)
    if (!bucket) {
      bucket = { samples: 0, sums: new Map(), alerts: new Map() }
      buckets.set(key, bucket)
      const [oldest] = buckets.keys()
      if (buckets.size > MAX_BUCKETS && oldest !== undefined) buckets.delete(oldest)
    }
    return bucket
  }

  const addRun = (bucket: Bucket, { terminalId, samples }: TerminalRows, start: number, end: number) => {
    let sum = bucket.sums.get(terminalId)
    if (!sum) {
      sum = emptySum()
      bucket.sums.set(terminalId, sum)
    }
    for (let index = start; index < end; index++) {
      const sample = samples[index] as TerminalSample
      addTo(sum, sample)
      if (sample.alerts.length === 0) continue
      const alerts = bucket.alerts.get(terminalId) ?? new Set()
      for (const alert of sample.alerts) alerts.add(alert)
      bucket.alerts.set(terminalId, alerts)
    }
    bucket.samples += end - start
  }

  return {
    /** Adds newly stored samples, each terminal's in order of time. */
    add: (terminals: readonly TerminalRows[]) => {
      for (const { name, bucketMs } of fromSamples) {
        // Most terminals of a batch have the same bucket.
        let last: { atMs: number; bucket: Bucket } | undefined
        for (const rows of terminals)
          forEachBucket(rows.samples, bucketMs, (atMs, start, end) => {
            if (last?.atMs !== atMs) last = { atMs, bucket: getBucket(name, atMs) }
            addRun(last.bucket, rows, start, end)
          })
      }
    },
    countSamples: (tier: TierName, atMs: number) => buckets.get(buildKey(tier, atMs))?.samples ?? 0,
    clear: () => buckets.clear(),
    /** Returns and removes a bucket. */
    take: (tier: TierName, atMs: number): Rollup[] => {
      const bucket = buckets.get(buildKey(tier, atMs))
      buckets.delete(buildKey(tier, atMs))
      if (!bucket) return []
      return [...bucket.sums].map(([terminalId, values]) => ({
        terminalId,
        n: values[N] as number,
        values,
        alerts: bucket.alerts.has(terminalId) ? [...(bucket.alerts.get(terminalId) ?? [])].sort() : null,
      }))
    },
  }
}

export type RollupAccumulator = ReturnType<typeof createRollupAccumulator>
