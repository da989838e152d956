import type pg from 'pg'
import { formatCsvRow } from '#contract/csv.ts'
import { formatIsoTime } from '#contract/format/times.ts'
import { getDisplayFactor, measures } from '#contract/measures.ts'
import type { PeriodMin } from '#contract/period.ts'
import type { RouteInput } from '#contract/route.ts'
import type { terminalDetail } from '#contract/terminal-detail.ts'
import type { Context } from '../platform/context.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { csvResponse } from '../platform/http/csv-response.ts'
import { getLine, type LineTerminal } from '../service-lines/get-line.ts'
import { selectSamplePoints, selectTierPoints, selectWatermarks } from '../telemetry/points.ts'
import { getTier, type Tier } from '../telemetry/tiers.ts'

/** The finest tier that covers the whole period. A file may contain more points than a chart can draw. */
const tiersByPeriod: Record<PeriodMin, Tier | null> = {
  15: null,
  180: null,
  1440: null,
  10080: getTier('tier_2min'),
  43200: getTier('tier_15min'),
  86400: getTier('tier_1h'),
}

const PAGE_ROWS = 2_000
const MIN_MS = 60_000

const listTitles = (tier: Tier | null, timeZone: string) => [
  `Time (${timeZone})`,
  'Terminal',
  ...measures.flatMap(({ csvTitle, unit }) =>
    tier
      ? [`${csvTitle} average (${unit})`, `${csvTitle} lowest (${unit})`, `${csvTitle} highest (${unit})`]
      : [`${csvTitle} (${unit})`],
  ),
  ...(tier ? ['Samples'] : []),
]

const listColumns = (tier: Tier | null) => {
  const times = (column: string, factor: number) => (factor === 1 ? column : `${factor} * ${column}::float8`)
  return [
    ...measures.flatMap((measure) => {
      const { tierColumn: column } = measure
      const columns = tier ? [column, `${column}_min`, `${column}_max`] : [column]
      return columns.map((each) => times(each, getDisplayFactor(measure)))
    }),
    ...(tier ? ['n'] : []),
  ]
}

// The cursor is text, because a Date would lose the microseconds and repeat a row.
const buildPageQuery = (tier: Tier | null) => `
  select at::text, (extract(epoch from at) * 1000)::float8, ${listColumns(tier).join(', ')}
  from (${tier ? selectTierPoints(tier) : selectSamplePoints()}) as points
  where at > coalesce(${tier ? '$6' : '$4'}::timestamptz, '-infinity')
  order by at
  limit ${PAGE_ROWS}`

type Row = [key: string, atMs: number, ...values: (number | null)[]]

/** A dish measures fewer than six digits. More would only show binary rounding. */
const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(6)))

interface FileOptions {
  context: Context
  terminals: readonly LineTerminal[]
  timeZone: string
  tier: Tier | null
  from: Date
  to: Date
}

const watermarks = { tenant: '$1', credential: '$2', from: '$3::timestamptz' }

const readWatermarks = async (client: pg.PoolClient, tier: Tier, values: unknown[]) => {
  const { rows } = await client.query<[Date, Date]>({
    rowMode: 'array',
    text: `select ${selectWatermarks(tier, watermarks)}`,
    values,
  })
  return rows[0] as [Date, Date]
}

/**
 * Reads page by page, each in its own transaction, so that a slow client does not hold one open. Permissions are
 * checked before each page, because a slow download may take long.
 */
async function* fileLines({ context, terminals, timeZone, tier, from, to }: FileOptions) {
  const { tenantId } = context
  const readPage = async (client: pg.PoolClient, { id, credential_id }: LineTerminal, after: string | null) => {
    const complete = tier ? await readWatermarks(client, tier, [tenantId, credential_id, from]) : []
    const values = [id, from, to, ...complete, after]
    return (await client.query<Row>({ rowMode: 'array', text: buildPageQuery(tier), values })).rows
  }
  yield formatCsvRow(listTitles(tier, timeZone))
  for (const terminal of terminals) {
    const name = terminal.kit_serial ?? terminal.device_id
    for (let after: string | null = null; ; ) {
      await context.requireRights()
      const page = await context.transaction((_, client) => readPage(client, terminal, after))
      if (page.length > 0)
        yield page
          .map(([, atMs, ...values]) => formatCsvRow([formatIsoTime(atMs, timeZone), name, ...values.map(rounded)]))
          .join('')
      if (page.length < PAGE_ROWS) break
      after = (page.at(-1) as Row)[0]
    }
  }
}

export const downloadPerformance = async (
  context: Context,
  { kitnumber, period }: RouteInput<typeof terminalDetail.download>,
) => {
  const { services, tenantId } = context
  const to = services.now()
  const from = new Date(to.getTime() - period * MIN_MS)
  const { terminals, timeZone } = await context.transaction(async (db, client) => ({
    terminals: (await getLine(client, tenantId, kitnumber)).terminals,
    timeZone: await getTimeZone(db, tenantId),
  }))
  const lines = fileLines({ context, terminals, timeZone, tier: tiersByPeriod[period], from, to })
  return csvResponse('terminal-performance.csv', lines)
}
