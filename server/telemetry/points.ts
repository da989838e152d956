import { measures, sqlPerMeasure } from './measures.ts'
import { getTier, type Tier } from './tiers.ts'

/** The terminal whose points a query selects and the credential that reported it, as SQL. */
export interface PointSource {
  terminal: string
  credential: string
}

const byParameters: PointSource = { terminal: '$1', credential: '$5' }

/**
 * Builds the query of a terminal's points. Parameters: $1 terminal, $2 from, $3 to, $4 tenant, $5 credential.
 * Columns: `at`, `n`, `alerts`, and for each measure its average under its own name, `…_min` and `…_max`.
 * Points that the tier does not hold yet are computed from its source.
 */
export const selectTierPoints = (tier: Tier, whose = byParameters) => `
    select at, n, alerts,
      ${sqlPerMeasure(({ tierColumn: tier }, place) => `(${tier}_sum / nullif(${nonNullCount(place)}, 0))::real as ${tier}, ${tier}_min, ${tier}_max`)}
    ${fromTier(tier, whose)}
    union all
    ${selectOpenPoints(tier, whose)}`

/** The points that the tier does not hold yet. */
const selectOpenPoints = (tier: Tier, whose: PointSource) => `
    select date_bin(interval '${tier.bucketMs / 1000} seconds', at, '2000-01-01Z') as at, sum(n)::integer as n,
      null as alerts,
      ${sqlPerMeasure(({ tierColumn: tier }) => `(sum(${tier}_sum) / nullif(sum(${tier}_count), 0))::real as ${tier}, min(${tier}_min) as ${tier}_min, max(${tier}_max) as ${tier}_max`)}
    from (${selectUnrolled(tier, whose)}) as open
    group by 1`

const fromTier = (tier: Tier, whose: PointSource) => `
    from ${tier.name}
    where terminal_id = ${whose.terminal} and at >= $2 and at < least((${selectWatermark(tier, whose)}), $3)`

/** The same encoding as a tier's column `chart`. */
const encodeChart = (columns: readonly string[]) =>
  ['timestamptz_send(at)', ...columns.map((column) => `float4send(coalesce(${column}, 'NaN'))`)].join(' || ')

const measureNames = measures.map(({ tierColumn }) => tierColumn)
const withBands = ['', '_min', '_max'].flatMap((part) => measureNames.map((name) => `${name}${part}`))

/**
 * The same points as concatenated bytes for a chart, in order of time. Each point is its time in PostgreSQL's binary
 * format, then the value of each measure as `real` and, for a tier, the minimum and the maximum of each.
 */
export const encodeTierChart = (tier: Tier, whose = byParameters) => `
    coalesce((select string_agg(chart, '' order by at) ${fromTier(tier, whose)}), '') ||
    coalesce((select string_agg(${encodeChart(withBands)}, '' order by at) from (${selectOpenPoints(tier, whose)}) as points), '')`

export const encodeSampleChart = (whose: PointSource) => `
    coalesce((select string_agg(${encodeChart(measureNames)}, '' order by at) from (${selectSamplePoints(whose)}) as points), '')`

const nonNullCount = (place: number) => `coalesce(non_null_counts[${place}], n)`

const selectWatermark = ({ name }: Tier, { credential }: PointSource) => `
      select coalesce(max(complete_until), $2) from rollup_watermarks
      where tenant_id = $4 and credential_id = ${credential} and tier = '${name}'`

/** Finds the finest tier that a tier is computed from; the tier itself if it is computed from samples. */
const getFinest = (tier: Tier): Tier => (tier.from === 'samples' ? tier : getFinest(getTier(tier.from)))

/** Selects what has arrived since the last rollup. Two hours are hundreds of samples but only eight quarter hours. */
const selectUnrolled = (tier: Tier, whose: PointSource) => {
  const finest = getFinest(tier)
  const samples = `
      select at, 1 as n,
        ${sqlPerMeasure(({ sampleColumn: sample, tierColumn: tier }) => `${sample}::float8 as ${tier}_sum, (${sample} is not null)::integer as ${tier}_count, ${sample} as ${tier}_min, ${sample} as ${tier}_max`)}
      from samples
      where terminal_id = ${whose.terminal} and at >= greatest((${selectWatermark(tier, whose)}), (${selectWatermark(finest, whose)}), $2) and at <= $3`
  if (finest === tier) return samples
  return `
      select at, n,
        ${sqlPerMeasure(({ tierColumn: tier }, place) => `${tier}_sum::float8 as ${tier}_sum, ${nonNullCount(place)} as ${tier}_count, ${tier}_min, ${tier}_max`)}
      from ${finest.name}
      where terminal_id = ${whose.terminal} and at >= greatest((${selectWatermark(tier, whose)}), $2) and at < least((${selectWatermark(finest, whose)}), $3)
      union all${samples}`
}

/** The same for samples. */
export const selectSamplePoints = ({ terminal } = byParameters) => `
    select at, 1 as n, alerts,
      ${sqlPerMeasure(({ sampleColumn: sample, tierColumn: tier }) => `${sample} as ${tier}, ${sample} as ${tier}_min, ${sample} as ${tier}_max`)}
    from samples
    where terminal_id = ${terminal} and at >= $2 and at <= $3`
