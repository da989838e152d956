import type { PeriodMin } from '#contract/period.ts'
import type { Read } from '../platform/database/database.ts'
import { selectLineByName } from '../service-lines/get-line.ts'
import { SAMPLE_RETENTION_DAYS } from '../telemetry/partitions.ts'
import { selectPastTierChart, selectSampleChart, selectTierChart, selectWatermarks } from '../telemetry/points.ts'
import { getTier, type Tier, tiers } from '../telemetry/tiers.ts'
import { decodePoints, type Extremes, findExtremes, writeBands, writePoints } from './points-json.ts'

const SAMPLE_STEP_S = 15
const MAX_POINTS = 1000
const GAP_AT_LEAST_S = 120
const DAY_MS = 86_400_000

/** The tier of each period, so that no chart has more than 1000 points. */
const tiersByPeriod: Record<PeriodMin, Tier | null> = {
  15: null,
  180: null,
  1440: getTier('tier_2min'),
  10080: getTier('tier_15min'),
  43200: getTier('tier_1h'),
  86400: getTier('tier_2h'),
}

/**
 * With a fraction of the points, and the same extremes; the shortest period has few points and the longest has no coarser tier.
 */
const coarseTiers: Record<PeriodMin, Tier | null> = {
  ...tiersByPeriod,
  180: getTier('tier_2min'),
  1440: getTier('tier_15min'),
  10080: getTier('tier_1h'),
  43200: getTier('tier_2h'),
}

/** The tier of a period, or the next coarser one that is still retained. */
export const chooseTier = (period: PeriodMin, from: Date, now: Date, isCoarse = false): Tier | null => {
  const finest = isCoarse ? coarseTiers[period] : tiersByPeriod[period]
  const ageDays = (now.getTime() - from.getTime()) / DAY_MS
  if (finest === null && ageDays <= SAMPLE_RETENTION_DAYS) return null
  const isCoarseEnough = (tier: Tier) => finest === null || tier.bucketMs >= finest.bucketMs
  return tiers.find((tier) => isCoarseEnough(tier) && ageDays <= tier.retentionDays) ?? (tiers.at(-1) as Tier)
}

export const getStepS = (tier: Tier | null) => (tier ? tier.bucketMs / 1000 : SAMPLE_STEP_S)

/** Lists are already the JSON of the response, so that thousands of numbers never become objects. */
export interface Signals {
  /** The points, without brackets. */
  points: Buffer
  bands: Buffer | null
  /** The extremes of all samples of the period. */
  extremes: Extremes
  unobserved: { from: Date; to: Date }[]
}

// Outside these gaps the feed reported some device, so a terminal without samples was offline.
const unobservedText = `array(
      select json_build_object('from', lower(gap), 'to', upper(gap))
      from unnest(
        tstzmultirange(tstzrange($1, $2)) - coalesce((
          select range_agg(span) from feed_coverage, unnest(observed) as span
          where tenant_id = $3 and credential_id = terminal.credential_id
            and day between ($1::timestamptz at time zone 'UTC')::date and ($2::timestamptz at time zone 'UTC')::date
        ), '{}'::tstzmultirange)
      ) as gap
      where upper(gap) - lower(gap) >= interval '${GAP_AT_LEAST_S} seconds')`

const watermarks = { tenant: '$3', credential: 'terminal.credential_id', from: '$1::timestamptz' }

const ON_LINE = `(${selectLineByName('$3', '$4')}) as line
  join terminals as terminal on terminal.tenant_id = $3 and terminal.service_line_id = line.id
    and terminal.removed_at is null`
const WITH_IDS = 'terminals as terminal where terminal.tenant_id = $3 and terminal.id = any($4::bigint[])'

/** Selects terminals, by $4, and how complete their points are between $1 and $2. */
const buildTerminalsQuery = (tier: Tier | null, source: string) => `
  select terminal.id, ${unobservedText} as unobserved${tier ? `, ${selectWatermarks(tier, watermarks)}` : ''}
  from ${source}
  order by terminal.id`

const buildChartQuery = (chart: string) => `select encode(chart, 'base64') as points from (${chart}) as chart`

/** The queries of a period: the line's terminals first, because each terminal's points are a separate query by id. */
const queries = new Map(
  [null, ...tiers].map((tier) => {
    const name = tier ? `-${tier.name}` : ''
    return [
      tier,
      {
        terminals: { name: `terminals${name}`, text: buildTerminalsQuery(tier, ON_LINE) },
        pastTerminals: { name: `past-terminals${name}`, text: buildTerminalsQuery(tier, WITH_IDS) },
        chart: { name: `chart${name}`, text: buildChartQuery(tier ? selectTierChart(tier) : selectSampleChart()) },
        pastChart: {
          name: `past-chart${name}`,
          text: buildChartQuery(tier ? selectPastTierChart(tier) : selectSampleChart()),
        },
      },
    ] as const
  }),
)

interface SignalsQuery {
  tenantId: string
  /** The line's nickname, kit number or service line number; for the past, the ids of its terminals at that time. */
  key: string | readonly number[]
  tier: Tier | null
  from: Date
  to: Date
}

interface TerminalRow {
  id: number
  unobserved: { from: string; to: string }[]
  complete_until: Date
  finest_complete_until: Date
}

/** Reads the signals of terminals, by terminal id. */
export const readAllSignals = async (read: Read, { tenantId, key, tier, from, to }: SignalsQuery) => {
  const statements = queries.get(tier) as Record<'terminals' | 'chart' | 'pastTerminals' | 'pastChart', Statement>
  const isPast = typeof key !== 'string'
  const terminals = isPast ? statements.pastTerminals : statements.terminals
  const chart = isPast ? statements.pastChart : statements.chart
  const signals = new Map<number, Signals>()
  for (const row of await read<TerminalRow>({ ...terminals, values: [from, to, tenantId, key] })) {
    const values = [row.id, from, to, ...(tier ? [row.complete_until, row.finest_complete_until] : [])]
    const [drawn] = await read<{ points: string }>({ ...chart, values })
    signals.set(row.id, toSignals(row, (drawn as { points: string }).points, tier))
  }
  return signals
}

interface Statement {
  name: string
  text: string
}

const toSignals = ({ unobserved }: TerminalRow, points: string, tier: Tier | null): Signals => {
  const decoded = decodePoints(points, tier !== null)
  return {
    // If a terminal reports more often than documented, only the newest points are shown. The extremes cover all.
    points: writePoints(decoded, tier ? decoded.timesUs.length : MAX_POINTS),
    bands: tier ? writeBands(decoded) : null,
    extremes: findExtremes(decoded),
    unobserved: unobserved.map((gap) => ({ from: new Date(gap.from), to: new Date(gap.to) })),
  }
}
