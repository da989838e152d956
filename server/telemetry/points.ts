import { measures, type Tier } from './tiers.ts'

/**
 * The points of a terminal as a query of $1 terminal, $2 from, $3 to, $4 tenant, $5 credential: `at`, `n`, `alerts`, and of
 * each measure its average under its own name, `…_min` and `…_max`. What a tier does not hold yet comes from the samples.
 */
export const pointsOfTier = ({ name, bucketMs }: Tier) => `
    select at, n, alerts,
      ${measures
        .map(
          ({ tier }, index) =>
            `(${tier}_sum / nullif(coalesce(told[${index + 1}], n), 0))::real as ${tier}, ${tier}_min, ${tier}_max`,
        )
        .join(',\n      ')}
    from ${name}
    where terminal_id = $1 and at >= $2 and at < least((${markOf(name)}), $3)
    union all
    select date_bin(interval '${bucketMs / 1000} seconds', at, '2000-01-01Z'), count(*)::integer, null,
      ${measures.map(({ sample }) => `avg(${sample})::real, min(${sample}), max(${sample})`).join(',\n      ')}
    from samples
    where terminal_id = $1 and at >= greatest((${markOf(name)}), $2) and at <= $3
    group by 1`

const markOf = (tier: string) => `
      select coalesce(max(complete_until), $2) from tier_marks
      where tenant_id = $4 and credential_id = $5 and tier = '${tier}'`

/** The same of the samples themselves. */
export const pointsOfSamples = `
    select at, 1 as n, alerts,
      ${measures.map(({ sample, tier }) => `${sample} as ${tier}, ${sample} as ${tier}_min, ${sample} as ${tier}_max`).join(',\n      ')}
    from samples
    where terminal_id = $1 and at >= $2 and at <= $3`
