import pg from 'pg'
import { sampleColumns, tierColumns } from '#server/telemetry/measures.ts'
import { formatUtcDay } from '#server/telemetry/partitions.ts'
import { tiers } from '#server/telemetry/tiers.ts'
import { type Connections, withDatabase } from './database.ts'
import type { Figure } from './figures.ts'

const TENANT = 'bench'
const TERMINALS = 200
const DAY_MS = 86_400_000
const SAMPLE_MS = 15_000
/** As long ago as the 62 days that all tiers are complete for. */
const DAYS_AGO = 60

const random = (names: readonly string[]) => names.map((name) => `(random() * 100)::real as ${name}`).join(', ')

/** Samples, then each tier, with as many days as a partition has. */
const tables = [
  {
    name: 'samples',
    stepMs: SAMPLE_MS,
    columns: [...sampleColumns, 'uptime_s'],
    values: `${random(sampleColumns)}, 1000`,
    days: 1,
  },
  ...tiers.map(({ name, bucketMs }) => ({
    name,
    stepMs: bucketMs,
    columns: ['n', ...tierColumns],
    values: `${bucketMs / SAMPLE_MS}, ${random(tierColumns)}`,
    days: { tier_2min: 1, tier_15min: 7, tier_1h: 28, tier_2h: 28 }[name],
  })),
]

type Table = (typeof tables)[number]

/** Fills one partition in the order in which rows arrive: each time of all terminals, into a table that has its index. */
const fill = async (client: pg.Client, { name, stepMs, columns, values, days }: Table, terminals: number) => {
  const spanMs = days * DAY_MS
  const fromMs = Math.floor((Date.now() - DAYS_AGO * DAY_MS) / spanMs) * spanMs
  const day = formatUtcDay(fromMs)
  if (name === 'samples') await client.query('select ensure_sample_partition($1)', [day])
  else await client.query('select ensure_tier_partition($1, $2)', [name, day])
  await client.query(`
    insert into ${name} (tenant_id, terminal_id, at, ${columns.join(', ')})
    select '${TENANT}', terminal, at, ${values}
    from generate_series(timestamptz '${new Date(fromMs).toISOString()}',
      '${new Date(fromMs + spanMs - 1).toISOString()}', interval '${stepMs / 1000} seconds') as at,
      generate_series(1, ${terminals}) as terminal
    order by at, terminal`)
}

const measure = async (client: pg.Client, { name, stepMs }: Table) => {
  const { rows } = await client.query<{ rows: number; heap: number; index: number }>(
    `select (select count(*) from ${name})::int as rows, sum(pg_table_size(inhrelid))::float8 as heap,
       sum(pg_indexes_size(inhrelid))::float8 as index
     from pg_inherits where inhparent = '${name}'::regclass`,
  )
  const { rows: count, heap, index } = rows[0] as (typeof rows)[0]
  return { heap: heap / count, index: index / count, perDay: DAY_MS / stepMs }
}

const measureAll = async ({ owner }: Connections, terminals: number) => {
  const client = new pg.Client(owner)
  await client.connect()
  const figures: Figure[] = []
  await client.query(`set app.tenant_id = '${TENANT}'`)
  for (const table of tables) {
    await fill(client, table, terminals)
    const { heap, index, perDay } = await measure(client, table)
    figures.push(
      { name: `${table.name}: a row`, value: heap, unit: 'bytes' },
      { name: `${table.name}: its index`, value: index, unit: 'bytes' },
      { name: `${table.name}: a terminal and day`, value: ((heap + index) * perDay) / 1000, unit: 'KB' },
    )
  }
  await client.end()
  return figures
}

/** The bytes on disk of samples and tiers. They do not depend on the number of terminals. */
export const diskFigures = ([terminals = TERMINALS]: readonly number[]) =>
  withDatabase((connections) => measureAll(connections, terminals))
