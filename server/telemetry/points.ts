import { measures, sqlPerMeasure } from './measures.ts'
import { getTier, PACKED_TIER, type Tier } from './tiers.ts'

const nonNullCount = (place: number) => `coalesce(non_null_counts[${place}], n)`

/**
 * Builds the query of a terminal's points. Parameters: $1 terminal, $2 from, $3 to, $4 and $5 the columns of
 * `selectWatermarks`. They are parameters so that the query reads only one terminal, which lets Citus route it to one
 * shard. Columns: `at`, `n`, `alerts`, and for each measure its average under its own name, `…_min` and `…_max`. Points
 * that the tier does not hold yet are computed from its source.
 */
export const selectTierPoints = (tier: Tier) => `
    select at, n, alerts, ${pointColumns}
    from (${tier.name === PACKED_TIER.name ? selectPackedBuckets(tier) : `select * ${fromTier(tier)}`}) as buckets
    union all
    ${selectOpenPoints(tier)}`

const pointColumns = sqlPerMeasure(
  ({ tierColumn: tier }, place) =>
    `(${tier}_sum / nullif(${nonNullCount(place)}, 0))::real as ${tier}, ${tier}_min, ${tier}_max`,
)

const bucketColumns = measures.flatMap(({ tierColumn }) => ['min', 'max', 'sum'].map((part) => `${tierColumn}_${part}`))

/**
 * The buckets of a tier whose older ones are packed. A bucket that arrived again is in both; the one with the larger `n`
 * wins.
 */
const selectPackedBuckets = (tier: Tier) => `
      select distinct on (at) * from (
        select at, n, non_null_counts, alerts, ${bucketColumns.join(', ')} ${fromTier(tier)}
        union all
        select day.at + each.bucket * interval '${tier.bucketMs / 1000} seconds', each.n, each.non_null_counts::smallint[],
          each.alerts::text[], ${bucketColumns.map((name) => `each.${name}`).join(', ')}
        from ${PACKED_TIER.packedName} as day,
          unnest(day.bucket, day.n, day.non_null_counts, day.alerts, ${bucketColumns.map((name) => `day.${name}`).join(', ')})
            as each (bucket, n, non_null_counts, alerts, ${bucketColumns.join(', ')})
        where day.terminal_id = $1 and day.at > $2::timestamptz - interval '24 hours' and day.at < $3
          and day.at + each.bucket * interval '${tier.bucketMs / 1000} seconds' >= $2
          and day.at + each.bucket * interval '${tier.bucketMs / 1000} seconds' < least($4::timestamptz, $3)
      ) as known
      order by at, n desc`

/** The points that the tier does not hold yet. */
const selectOpenPoints = (tier: Tier) => `
    select date_bin(interval '${tier.bucketMs / 1000} seconds', at, '2000-01-01Z') as at, sum(n)::integer as n,
      null::text[] as alerts,
      ${sqlPerMeasure(({ tierColumn: tier }) => `(sum(${tier}_sum) / nullif(sum(${tier}_count), 0))::real as ${tier}, min(${tier}_min) as ${tier}_min, max(${tier}_max) as ${tier}_max`)}
    from (${selectUnrolled(tier)}) as open
    group by 1`

const fromTier = ({ name }: Tier) => `
    from ${name}
    where terminal_id = $1 and at >= $2 and at < least($4::timestamptz, $3)`

/** The same encoding as a tier's column `chart`. */
const encodeChart = (columns: readonly string[]) =>
  ['timestamptz_send(at)', ...columns.map((column) => `float4send(coalesce(${column}, 'NaN'))`)].join(' || ')

const measureNames = measures.map(({ tierColumn }) => tierColumn)
const withBands = ['', '_min', '_max'].flatMap((part) => measureNames.map((name) => `${name}${part}`))

/**
 * Selects the same points as concatenated bytes for a chart, in order of time. Each point is its time in PostgreSQL's
 * binary format, then the value of each measure as `real` and, for a tier, the minimum and the maximum of each.
 */
export const selectTierChart = (tier: Tier) => `
    select coalesce(string_agg(chart, '' order by place), '') as chart from (
      select 1 as place, string_agg(chart, '' order by at) as chart ${fromTier(tier)}
      union all
      select 2, string_agg(${encodeChart(withBands)}, '' order by at) from (${selectOpenPoints(tier)}) as points
    ) as parts`

/** The same for times whose buckets may already be packed. */
export const selectPastTierChart = (tier: Tier) =>
  tier.name === PACKED_TIER.name ? encodePoints(selectTierPoints(tier), withBands) : selectTierChart(tier)

const encodePoints = (points: string, columns: readonly string[]) => `
    select coalesce(string_agg(${encodeChart(columns)}, '' order by at), '') as chart
    from (${points}) as points`

export const selectSampleChart = () => encodePoints(selectSamplePoints(), measureNames)

/**
 * Selects the watermarks of the tier, and of the finest tier that it is computed from, for a credential; if there are
 * none, the start of the period.
 */
export const selectWatermarks = (
  tier: Tier,
  { tenant, credential, from }: { tenant: string; credential: string; from: string },
) => {
  const select = ({ name }: Tier) => `(
      select coalesce(max(complete_until), ${from}) from rollup_watermarks
      where tenant_id = ${tenant} and credential_id = ${credential} and tier = '${name}')`
  return `${select(tier)} as complete_until, ${select(getFinest(tier))} as finest_complete_until`
}

/** Finds the finest tier that a tier is computed from; the tier itself if it is computed from samples. */
const getFinest = (tier: Tier): Tier => (tier.from === 'samples' ? tier : getFinest(getTier(tier.from)))

/** Selects what has arrived since the last rollup. Two hours are hundreds of samples but only eight quarter-hour buckets. */
const selectUnrolled = (tier: Tier) => {
  const finest = getFinest(tier)
  const samples = `
      select at, 1 as n,
        ${sqlPerMeasure(({ sampleColumn: sample, tierColumn: tier }) => `${sample}::float8 as ${tier}_sum, (${sample} is not null)::integer as ${tier}_count, ${sample} as ${tier}_min, ${sample} as ${tier}_max`)}
      from samples
      where terminal_id = $1 and at >= greatest($4::timestamptz, $5::timestamptz, $2) and at <= $3`
  if (finest === tier) return samples
  return `
      select at, n,
        ${sqlPerMeasure(({ tierColumn: tier }, place) => `${tier}_sum::float8 as ${tier}_sum, ${nonNullCount(place)} as ${tier}_count, ${tier}_min, ${tier}_max`)}
      from ${finest.name}
      where terminal_id = $1 and at >= greatest($4::timestamptz, $2) and at < least($5::timestamptz, $3)
      union all${samples}`
}

/** The same for samples. */
export const selectSamplePoints = () => `
    select at, 1 as n, alerts,
      ${sqlPerMeasure(({ sampleColumn: sample, tierColumn: tier }) => `${sample} as ${tier}, ${sample} as ${tier}_min, ${sample} as ${tier}_max`)}
    from samples
    where terminal_id = $1 and at >= $2 and at <= $3`
