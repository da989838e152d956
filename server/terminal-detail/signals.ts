import type pg from 'pg'
import type { PeriodMin } from '#contract/period.ts'
import type { Signal } from '#contract/terminal-detail.ts'
import { pointsOfSamples, pointsOfTier } from '../telemetry/points.ts'
import { getTier, type Tier, tiers } from '../telemetry/tiers.ts'
import { JsonBytes } from './json-bytes.ts'

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

/** Lists are ready as the JSON that the answer holds: thousands of numbers need not become objects in between. */
export interface Signals {
  /** The points, without the brackets around them. */
  points: Buffer
  bands: Buffer | null
  /** Of all samples of the period. */
  extremes: Record<Measure, { min: number | null; max: number | null }>
  unobserved: { from: Date; to: Date }[]
}

/** A column as the bytes of its values, not a number where one is missing: writing them as text takes PostgreSQL longer. */
const listOf = (column: string, filter = '') =>
  `encode(string_agg(float4send(coalesce(${column}, 'NaN')), '' order by at)${filter}, 'base64')`

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
    encode(string_agg(float8send(date_part('epoch', at)), '' order by at)${SHOWN}, 'base64') as times,
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

type Row = { times: string | null; unobserved: { from: string; to: string }[] } & Record<Measure, string | null> &
  Record<`${Measure}_min` | `${Measure}_max`, number | null> &
  Record<`${Measure}_mins` | `${Measure}_maxs`, string | null>

/** Of one point and one band with their names; a guess that is too low costs a copy. */
const POINT_BYTES = 180
const NUMBER_BYTES = 10

const [FIRST_POINT, NEXT_POINT, END, OPEN, COMMA, CLOSE] = ['{"timestamp":', ',{"timestamp":', '}', '[', ',', ']'].map(
  (text) => Buffer.from(text),
) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]

const bytesOf = (list: string | null) => Buffer.from(list ?? '', 'base64')

const pointsOf = (row: Row): Buffer => {
  const times = bytesOf(row.times)
  const count = times.length / 8
  const lists = measures.map(({ name }) => ({
    key: Buffer.from(`,"${name}":`),
    values: bytesOf(row[name]),
  }))
  const json = new JsonBytes(count * POINT_BYTES)
  for (let place = 0; place < count; place++) {
    json.raw(place === 0 ? FIRST_POINT : NEXT_POINT)
    json.whole(Math.round(times.readDoubleBE(place * 8) * 1_000_000))
    for (const { key, values } of lists) {
      json.raw(key)
      json.decimal(values.readFloatBE(place * 4))
    }
    json.raw(END)
  }
  return json.taken()
}

const bandsOf = (row: Row): Buffer => {
  const json = new JsonBytes(2 * measures.length * (bytesOf(row.downlink_mins).length / 4 + 4) * NUMBER_BYTES)
  const writeList = (list: string | null) => {
    const values = bytesOf(list)
    json.raw(OPEN)
    for (let at = 0; at < values.length; at += 4) {
      if (at > 0) json.raw(COMMA)
      json.decimal(values.readFloatBE(at))
    }
    json.raw(CLOSE)
  }
  for (const [index, { name }] of measures.entries()) {
    json.text(`${index === 0 ? '{' : ','}"${name}":{"min":`)
    writeList(row[`${name}_mins`])
    json.text(',"max":')
    writeList(row[`${name}_maxs`])
    json.raw(END)
  }
  json.raw(END)
  return json.taken()
}

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
