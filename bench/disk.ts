import pg from 'pg'
import { CHANGES_FOR_DAYS, CHARTED_FOR_MS } from '#server/telemetry/compaction.ts'
import { sampleColumns, tierColumns } from '#server/telemetry/measures.ts'
import { formatUtcDay } from '#server/telemetry/partitions.ts'
import { PACKED_TIER, tiers } from '#server/telemetry/tiers.ts'
import { type Connections, withDatabase } from './database.ts'
import type { Figure } from './figures.ts'
import { SAMPLE_MS, TENANT } from './fill-store.ts'

const TERMINALS = 200
const DAY_MS = 86_400_000
const DAYS = 60
const SAMPLE_RETENTION_DAYS = 2

const draw = (names: readonly string[]) => names.map(() => '(random() * 100)::real').join(', ')

interface Table {
  name: string
  stepMs: number
  retentionDays: number
  columns: readonly string[]
  values: string
}

const samples: Table = {
  name: 'samples',
  stepMs: SAMPLE_MS,
  retentionDays: SAMPLE_RETENTION_DAYS,
  columns: [...sampleColumns, 'uptime_s'],
  values: `${draw(sampleColumns)}, 1000`,
}

const tierTables = tiers.map(
  ({ name, bucketMs, retentionDays }): Table => ({
    name,
    stepMs: bucketMs,
    retentionDays: Math.min(retentionDays, DAYS),
    columns: ['n', ...tierColumns],
    values: `${bucketMs / SAMPLE_MS}, ${draw(tierColumns)}`,
  }),
)

/** Fills one partition, with its index, in the order in which rows arrive: all terminals for each time. */
const fill = async (client: pg.Client, table: Table, { terminals, days }: { terminals: number; days: number }) => {
  const { name, stepMs, columns, values } = table
  const spanMs = days * DAY_MS
  const fromMs = Math.floor((Date.now() - DAYS * DAY_MS) / spanMs) * spanMs
  const day = formatUtcDay(fromMs)
  if (table === samples) await client.query('select ensure_sample_partition($1)', [day])
  else await client.query('select ensure_tier_partition($1, $2)', [name, day])
  await client.query(
    `insert into ${name} (tenant_id, terminal_id, at, ${columns.join(', ')})
     select $1, terminal, at, ${values}
     from generate_series($2::timestamptz, $3, make_interval(secs => $4)) as at, generate_series(1, $5::int) as terminal
     order by at, terminal`,
    [TENANT, new Date(fromMs), new Date(fromMs + spanMs - 1), stepMs / 1000, terminals],
  )
}

/** The bytes of a row and of its index entry. */
const measure = async (client: pg.Client, name: string, count: string) => {
  const { rows } = await client.query<{ row: number; index: number }>(
    `select sum(pg_table_size(inhrelid))::float8 / (select ${count} from ${name}) as row,
       sum(pg_indexes_size(inhrelid))::float8 / (select ${count} from ${name}) as index
     from pg_inherits where inhparent = '${name}'::regclass`,
  )
  const { row, index } = rows[0] as (typeof rows)[0]
  return { row, index, total: row + index }
}

const measureRows = (client: pg.Client, { name }: Table) => measure(client, name, 'count(*)')

/** Compacts a filled partition for long-term storage. */
const shrink = async (client: pg.Client, table: Table) => {
  const day = formatUtcDay(Date.now() - 4 * DAY_MS)
  if (table.name !== PACKED_TIER.name) {
    await client.query('select compact_tier_partition($1, $2)', [table.name, day])
    return { label: 'compacted', size: await measureRows(client, table) }
  }
  await client.query('insert into tenants (id) values ($1)', [TENANT])
  await client.query('select ensure_tier_partition($1, (min(at) at time zone $2)::date) from tier_2min', [
    PACKED_TIER.packedName,
    'UTC',
  ])
  await client.query('select pack_tier_partition($1)', [day])
  return { label: 'packed', size: await measure(client, PACKED_TIER.packedName, 'sum(cardinality(bucket))') }
}

type Size = Awaited<ReturnType<typeof measureRows>>

const toFigures = (label: string, { stepMs }: Table, { row, index, total }: Size): Figure[] => [
  { name: `${label}: a row`, value: row, unit: 'bytes' },
  { name: `${label}: its part of the index`, value: index, unit: 'bytes' },
  { name: `${label}: a terminal and day`, value: ((DAY_MS / stepMs) * total) / 1000, unit: 'KB' },
]

const measureTables = async ({ owner }: Connections, terminals: number) => {
  const client = new pg.Client(owner)
  await client.connect()
  await client.query(`set app.tenant_id = '${TENANT}'`)
  await fill(client, samples, { terminals, days: 1 })
  const size = await measureRows(client, samples)
  const figures = toFigures('samples', samples, size)
  let bytes = (SAMPLE_RETENTION_DAYS + 1) * (DAY_MS / SAMPLE_MS) * size.total
  for (const table of tierTables) {
    const { name, stepMs, retentionDays } = table
    const { rows } = await client.query<{ days: number }>('select tier_partition_days($1) as days', [name])
    const { days } = rows[0] as { days: number }
    await fill(client, table, { terminals, days })
    const written = await measureRows(client, table)
    const { label, size: stored } = await shrink(client, table)
    figures.push(...toFigures(name, table, written), ...toFigures(`${name}, ${label}`, table, stored))
    // The most days until a partition is compacted, and until it is dropped.
    const waits = name === PACKED_TIER.name ? CHARTED_FOR_MS / DAY_MS : CHANGES_FOR_DAYS
    const writtenDays = Math.min(waits + days, retentionDays)
    const storedDays = retentionDays + days - writtenDays
    bytes += (DAY_MS / stepMs) * (writtenDays * written.total + storedDays * stored.total)
  }
  await client.end()
  const received = (DAYS * DAY_MS) / SAMPLE_MS
  return [
    ...figures,
    { name: `a terminal with ${DAYS} days, at most`, value: bytes / 1e6, unit: 'MB' },
    { name: 'the same per sample received in them', value: bytes / received, unit: 'bytes' },
  ]
}

/** The size on disk of samples and tiers, as they arrive and after compaction. */
export const measureDisk = ([terminals = TERMINALS]: readonly number[]): Promise<Figure[]> =>
  withDatabase((connections) => measureTables(connections, terminals))
