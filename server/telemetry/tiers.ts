export type TierName = 'tier_2min' | 'tier_15min' | 'tier_1h' | 'tier_2h'

export interface Tier {
  name: TierName
  bucketMs: number
  retentionDays: number
  /** The source of the tier. Two minutes do not divide a quarter hour, so both tiers are computed from samples. */
  from: 'samples' | TierName
}

const MIN_MS = 60_000

/** From the finest to the coarsest, so that each is computed after its source. */
export const tiers: readonly Tier[] = [
  { name: 'tier_2min', bucketMs: 2 * MIN_MS, retentionDays: 8, from: 'samples' },
  { name: 'tier_15min', bucketMs: 15 * MIN_MS, retentionDays: 32, from: 'samples' },
  { name: 'tier_1h', bucketMs: 60 * MIN_MS, retentionDays: 62, from: 'tier_15min' },
  { name: 'tier_2h', bucketMs: 120 * MIN_MS, retentionDays: 400, from: 'tier_1h' },
]

/** Buckets of this tier that are too old for any chart are stored as one row per terminal and day. */
export const PACKED_TIER = { name: 'tier_2min', packedName: 'tier_2min_packed' } as const

export const getBucketStart = (atMs: number, bucketMs: number) => Math.floor(atMs / bucketMs) * bucketMs

// Rows with the same timestamp arrive in several batches.
const GRACE_MS = 30_000

/** Buckets of the tier that end by this time are complete, if the samples up to `presentMs` are stored. */
export const getClosedMs = ({ bucketMs }: Tier, presentMs: number) => getBucketStart(presentMs - GRACE_MS, bucketMs)

/**
 * Visits the runs of samples of one bucket each. The samples are in order of time; `end` is exclusive. A callback, because a
 * batch has a run for every terminal and tier.
 */
export const forEachBucket = (
  samples: readonly { atMs: number }[],
  bucketMs: number,
  visit: (atMs: number, start: number, end: number) => void,
) => {
  const lastMs = samples.at(-1)?.atMs ?? 0
  for (let start = 0; start < samples.length; ) {
    const atMs = getBucketStart((samples[start] as { atMs: number }).atMs, bucketMs)
    const endMs = atMs + bucketMs
    let end = lastMs < endMs ? samples.length : start + 1
    while (end < samples.length && (samples[end] as { atMs: number }).atMs < endMs) end++
    visit(atMs, start, end)
    start = end
  }
}

export const getTier = (name: TierName): Tier => {
  const tier = tiers.find((each) => each.name === name)
  if (!tier) throw new Error(`There is no tier ${name}.`)
  return tier
}
