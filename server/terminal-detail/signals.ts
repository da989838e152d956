import type { PeriodMin } from '#contract/period.ts'
import type { Read } from '../platform/database/database.ts'
import { lineNamed } from '../service-lines/get-line.ts'
import { encodeSampleChart, encodeTierChart } from '../telemetry/points.ts'
import { getTier, type Tier, tiers } from '../telemetry/tiers.ts'
import { decodePoints, type Extremes, findExtremes, writeBands, writePoints } from './points-json.ts'

const SAMPLE_STEP_S = 15
const MAX_POINTS = 1000
const GAP_AT_LEAST_S = 120

/** The tier that each period is drawn from, so that no chart has more than 1000 points. */
const tiersByPeriod: Record<PeriodMin, Tier | null> = {
  15: null,
  180: null,
  1440: getTier('tier_2min'),
  10080: getTier('tier_15min'),
  43200: getTier('tier_1h'),
  86400: getTier('tier_2h'),
}

export const getStepS = (period: PeriodMin) => {
  const tier = tiersByPeriod[period]
  return tier ? tier.bucketMs / 1000 : SAMPLE_STEP_S
}

/** Lists are already the JSON of the response, so that thousands of numbers never become objects. */
export interface Signals {
  /** The points, without the brackets around them. */
  points: Buffer
  bands: Buffer | null
  /** The extremes of all samples of the period. */
  extremes: Extremes
  unobserved: { from: Date; to: Date }[]
}

// A subquery rather than a column of a join, so that PostgreSQL looks it up once and not for each point.
const source = { terminal: '(select id from requested)', credential: '(select credential_id from requested)' }

// Outside these gaps the feed reported some device, so a terminal without samples was offline.
const unobservedText = `array(
      select json_build_object('from', lower(gap), 'to', upper(gap))
      from unnest(
        tstzmultirange(tstzrange($2, $3)) - coalesce((
          select range_agg(span) from feed_coverage, unnest(observed) as span
          where tenant_id = $4 and credential_id = ${source.credential}
            and day between ($2::timestamptz at time zone 'UTC')::date and ($3::timestamptz at time zone 'UTC')::date
        ), '{}'::tstzmultirange)
      ) as gap
      where upper(gap) - lower(gap) >= interval '${GAP_AT_LEAST_S} seconds')`

/** Selects the terminal at offset $1 of the line with the key $5, and the line's number of terminals. */
const buildQuery = (tier: Tier | null) => `
  with requested as materialized (
    select terminal.id, terminal.credential_id, count(*) over () as terminals
    from (${lineNamed('$4', '$5')}) as line
    join terminals as terminal on terminal.tenant_id = $4 and terminal.service_line_id = line.id
      and terminal.removed_at is null
    order by terminal.id
    offset $1 limit 1)
  select requested.id, requested.terminals, encode(${tier ? encodeTierChart(tier, source) : encodeSampleChart(source)}, 'base64') as points,
    ${unobservedText} as unobserved
  from requested`

const texts = new Map([null, ...tiers].map((tier) => [tier, buildQuery(tier)] as const))

interface SignalsQuery {
  tenantId: string
  /** The line's nickname, kit number or service line number. */
  key: string
  period: PeriodMin
  from: Date
  to: Date
}

interface Row {
  id: number
  terminals: number
  points: string
  unobserved: { from: string; to: string }[]
}

/** Reads the signals of each terminal of a line, by terminal id. Most lines have one, which takes one query. */
export const readAllSignals = async (read: Read, { tenantId, key, period, from, to }: SignalsQuery) => {
  const tier = tiersByPeriod[period]
  const signals = new Map<number, Signals>()
  for (let place = 0, count = 1; place < count; place++) {
    const [row] = await read<Row>({
      name: tier ? `signals-${tier.name}` : 'signals',
      text: texts.get(tier) as string,
      values: [place, from, to, tenantId, key],
    })
    if (!row) break
    count = row.terminals
    signals.set(row.id, toSignals(row, tier))
  }
  return signals
}

const toSignals = (row: Row, tier: Tier | null): Signals => {
  const decoded = decodePoints(row.points, tier !== null)
  return {
    // If a terminal reports more often than documented, only the newest points are shown. The extremes cover all.
    points: writePoints(decoded, tier ? decoded.timesUs.length : MAX_POINTS),
    bands: tier ? writeBands(decoded) : null,
    extremes: findExtremes(decoded),
    unobserved: row.unobserved.map((gap) => ({ from: new Date(gap.from), to: new Date(gap.to) })),
  }
}
