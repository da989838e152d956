import type pg from 'pg'
import type { PeriodMin } from '#contract/period.ts'
import type { Signal } from '#contract/terminal-detail.ts'
import { pointsOfSamples, pointsOfTier } from '../telemetry/points.ts'
import { getTier, type Tier, tiers } from '../telemetry/tiers.ts'

type Measure = Exclude<keyof Signal, 'timestamp'>

/** Each measure of the answer, and its column. */
const measures: { name: Measure; column: string }[] = [
  { name: 'downlink', column: 'downlink' },
  { name: 'uplink', column: 'uplink' },
  { name: 'latency', column: 'latency' },
  { name: 'pingdrop', column: 'ping_drop' },
  { name: 'signal_quality', column: 'signal_quality' },
  { name: 'obstruction', column: 'obstruction' },
]

const SAMPLE_STEP_S = 15
const MAX_POINTS = 1000
const GAP_AT_LEAST_S = 120

/** What each period is drawn from, so that no chart has more than 1000 points. */
const tierOf: Record<PeriodMin, Tier | null> = {
  15: null,
  180: null,
  1440: getTier('tier_2min'),
  10080: getTier('tier_15min'),
  43200: getTier('tier_1h'),
  86400: getTier('tier_2h'),
}

export const stepOf = (period: PeriodMin) => {
  const tier = tierOf[period]
  return tier ? tier.bucketMs / 1000 : SAMPLE_STEP_S
}

/**
 * Lists come as the JSON text that the answer holds: thousands of numbers would be read and written once more, for
 * nothing.
 */
export interface Signals {
  points: string
  bands: string | null
  /** Of all samples of the period. */
  extremes: Record<Measure, { min: number | null; max: number | null }>
  unobserved: { from: Date; to: Date }[]
}

const listOf = (column: string, filter = '') =>
  `coalesce(array_to_string(array_agg(${column} order by at)${filter}, ',', 'null'), '')`

// Outside of these the feed told of some device: there a terminal without samples was out.
const unobservedText = `array(
      select json_build_object('from', lower(gap), 'to', upper(gap))
      from unnest(
        tstzmultirange(tstzrange($2, $3)) - coalesce((
          select range_agg(span) from feed_coverage, unnest(observed) as span
          where tenant_id = $4 and credential_id = $5
            and day between ($2::timestamptz at time zone 'UTC')::date and ($3::timestamptz at time zone 'UTC')::date
        ), '{}'::tstzmultirange)
      ) as gap
      where upper(gap) - lower(gap) >= interval '${GAP_AT_LEAST_S} seconds')`

// Should a terminal report more often than the vendor says, the newest points are shown; the extremes are of all.
const SHOWN = ` filter (where place <= ${MAX_POINTS})`

const textOf = (tier: Tier | null) => `
  select
    ${listOf("(date_part('epoch', at) * 1000000)::bigint", SHOWN)} as timestamps,
    ${measures.map(({ name, column }) => `${listOf(column, SHOWN)} as ${name}`).join(',\n    ')},
    ${measures.map(({ name, column }) => `min(${column}_min) as ${name}_min, max(${column}_max) as ${name}_max`).join(',\n    ')},
    ${
      tier
        ? `${measures
            .map(
              ({ name, column }) =>
                `${listOf(`${column}_min`)} as ${name}_mins, ${listOf(`${column}_max`)} as ${name}_maxs`,
            )
            .join(',\n    ')},`
        : ''
    }
    ${unobservedText} as unobserved
  from (
    select *, ${tier ? '1' : 'row_number() over (order by at desc)'} as place
    from (${tier ? pointsOfTier(tier) : pointsOfSamples}) as told
  ) as points`

const texts = new Map([null, ...tiers].map((tier) => [tier, textOf(tier)] as const))

interface Asked {
  tenantId: string
  credentialId: number
  terminalId: number
  period: PeriodMin
  from: Date
  to: Date
}

type Row = { timestamps: string; unobserved: { from: string; to: string }[] } & Record<Measure, string> &
  Record<`${Measure}_min` | `${Measure}_max`, number | null> &
  Record<`${Measure}_mins` | `${Measure}_maxs`, string>

const pointsOf = (row: Row) => {
  if (row.timestamps === '') return ''
  const lists = measures.map(({ name }) => ({ key: `,"${name}":`, values: row[name].split(',') }))
  const points = row.timestamps.split(',').map((timestamp, index) => {
    let point = `{"timestamp":${timestamp}`
    for (const { key, values } of lists) point += `${key}${values[index]}`
    return `${point}}`
  })
  return points.join(',')
}

const bandsOf = (row: Row) =>
  `{${measures.map(({ name }) => `"${name}":{"min":[${row[`${name}_mins`]}],"max":[${row[`${name}_maxs`]}]}`).join(',')}}`

export const readSignals = async (client: pg.PoolClient, asked: Asked): Promise<Signals> => {
  const { tenantId, credentialId, terminalId, period, from, to } = asked
  const tier = tierOf[period]
  const { rows } = await client.query<Row>({
    name: tier ? `signals-${tier.name}` : 'signals',
    text: texts.get(tier) as string,
    values: [terminalId, from, to, tenantId, credentialId],
  })
  const row = rows[0] as Row
  return {
    points: pointsOf(row),
    bands: tier ? bandsOf(row) : null,
    extremes: Object.fromEntries(
      measures.map(({ name }) => [name, { min: row[`${name}_min`], max: row[`${name}_max`] }]),
    ) as Signals['extremes'],
    unobserved: row.unobserved.map((gap) => ({ from: new Date(gap.from), to: new Date(gap.to) })),
  }
}
