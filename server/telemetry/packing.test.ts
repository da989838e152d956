import { afterAll, expect, test } from 'vitest'
import { compactPartitions } from './compaction.ts'
import { tierColumns } from './measures.ts'
import { ensureTierPartitions, formatUtcDay } from './partitions.ts'
import { selectPastTierChart, selectTierChart, selectTierPoints } from './points.ts'
import { openTwoTenants } from './testing/two-tenants.ts'
import { getTier } from './tiers.ts'

const DAY_MS = 86_400_000
const nowMs = Date.now()

const { db, superuser, close } = await openTwoTenants()
afterAll(close)

const getDay = (daysAgo: number) => formatUtcDay(nowMs - daysAgo * DAY_MS)
const getName = (daysAgo: number) => `tier_2min_${getDay(daysAgo).replaceAll('-', '')}`

const getTenant = (terminal: number) => (terminal % 2 === 0 ? 'alpha' : 'beta')

interface Filling {
  terminals?: number[]
  n?: number
  /** Hours of the day. */
  hours?: [number, number]
}

/** Buckets of both tenants' terminals in arrival order; the third terminal has missing values, the fourth has alerts. */
const fillDay = async (daysAgo: number, { terminals = [1, 2, 3, 4], n = 8, hours = [0, 24] }: Filling = {}) => {
  await ensureTierPartitions(db.database, 'tier_2min', [getDay(daysAgo)])
  await superuser.query(
    `insert into tier_2min (tenant_id, terminal_id, at, n, ${tierColumns.join(', ')}, non_null_counts, alerts)
     select case when terminal % 2 = 0 then 'alpha' else 'beta' end, terminal, at, $3,
       ${tierColumns.map((name) => (name.startsWith('latency') ? 'case when terminal <> 3 then random()::real end' : '(100 * random())::real')).join(', ')},
       case when terminal = 3 then '{8,8,0,8,8,8}'::smallint[] end,
       case when terminal = 4 and extract(hour from at) = 3 then array['heating', 'a "quoted", name'] end
     from generate_series($1::date::timestamp at time zone 'UTC' + make_interval(hours => $4),
         $1::date::timestamp at time zone 'UTC' + make_interval(hours => $5) - interval '1 second',
         interval '2 minutes') as at,
       unnest($2::int[]) as terminal
     order by at, terminal
     on conflict (terminal_id, at) do update set n = excluded.n`,
    [getDay(daysAgo), terminals, n, ...hours],
  )
}

/** The rows that a download reads, as the terminal's tenant unless another is given. */
const readPoints = (terminal: number, daysAgo: [number, number], tenantId = getTenant(terminal)) =>
  db.database.transaction({ tenantId }, async (_, client) => {
    const [from, to] = daysAgo.map((days) => new Date(nowMs - days * DAY_MS)) as [Date, Date]
    const { rows } = await client.query(`${selectTierPoints(getTier('tier_2min'))} order by at`, [
      terminal,
      from,
      to,
      new Date(nowMs),
      new Date(nowMs),
    ])
    return rows
  })

const readAll = async (daysAgo: [number, number]) =>
  Object.fromEntries(await Promise.all([1, 2, 3, 4].map(async (each) => [each, await readPoints(each, daysAgo)])))

/** The bytes of a chart, from the query for the present or for the past. */
const readChart = (select: typeof selectTierChart, terminal: number, daysAgo: [number, number]) =>
  db.database.transaction({ tenantId: getTenant(terminal) }, async (_, client) => {
    const [from, to] = daysAgo.map((days) => new Date(nowMs - days * DAY_MS)) as [Date, Date]
    const { rows } = await client.query(select(getTier('tier_2min')), [
      terminal,
      from,
      to,
      new Date(nowMs),
      new Date(nowMs),
    ])
    return rows[0].chart as Buffer
  })

const countRows = async (table: string) => (await superuser.query(`select count(*)::int from ${table}`)).rows[0].count

const readBytes = async (table: string) => {
  const { rows } = await superuser.query<{ bytes: number }>(
    'select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits where inhparent = $1::regclass',
    [table],
  )
  return (rows[0] as { bytes: number }).bytes
}

test('a day that no chart reads becomes a row for each terminal, less than a third in size, and reads as before', async () => {
  for (const daysAgo of [1, 3]) await fillDay(daysAgo)
  const before = await readAll([7, 0])
  // From and to the middle of the day.
  const part = await readAll([3, 2.5])
  const bytes = await readBytes('tier_2min')
  expect(before[4]?.filter(({ alerts }: { alerts: unknown }) => alerts)).toHaveLength(60)
  expect(before[3]?.length).toBeGreaterThan(720)

  expect(await compactPartitions(db.database, nowMs)).toEqual([getName(3)])

  expect(await readAll([7, 0])).toEqual(before)
  expect(await readAll([3, 2.5])).toEqual(part)
  expect(await countRows(getName(3))).toBe(0)
  expect(await countRows('tier_2min_packed')).toBe(4)
  const saved = bytes - (await readBytes('tier_2min'))
  expect(await readBytes('tier_2min_packed')).toBeLessThan(saved / 3)
  expect(await readPoints(1, [7, 0], 'alpha')).toEqual([])
  expect(await compactPartitions(db.database, nowMs)).toEqual([])
})

test('a chart of the past shows a packed day as it was drawn before', async () => {
  await fillDay(6)
  const drawn = await readChart(selectTierChart, 3, [6, 5])
  expect(drawn.length).toBeGreaterThan(0)
  expect(await readChart(selectPastTierChart, 3, [6, 5])).toEqual(drawn)
  expect(await compactPartitions(db.database, nowMs)).toEqual([getName(6)])
  expect(await readChart(selectPastTierChart, 3, [6, 5])).toEqual(drawn)
})

test('buckets that arrive later, or again with more samples, are read at once and then packed too', async () => {
  await fillDay(4, { hours: [6, 24] })
  await compactPartitions(db.database, nowMs)
  const packed = await readAll([4.999, 3.001])
  await fillDay(4, { terminals: [2], hours: [0, 7], n: 9 })
  // With fewer samples than are already stored.
  await fillDay(4, { terminals: [2], hours: [8, 9], n: 1 })
  const written = await readAll([4.999, 3.001])
  const counts = (written[2] as { n: number }[]).map(({ n }) => n)
  expect(new Set(counts)).toEqual(new Set([8, 9]))
  expect(counts.length).toBeGreaterThan((packed[2] as unknown[]).length)

  expect(await compactPartitions(db.database, nowMs)).toEqual([getName(4)])

  expect(await readAll([4.999, 3.001])).toEqual(written)
  for (const other of [1, 3, 4]) expect(written[other]).toEqual(packed[other])
})

test('while a backup runs, and while somebody reads for long, a day stays as it is', async () => {
  await fillDay(5, { hours: [0, 1] })
  const other = await db.connectSuperuser()
  await other.query(`select pg_advisory_lock_shared(hashtextextended('dishboard:backup', 0))`)
  expect(await compactPartitions(db.database, nowMs)).toEqual([])
  await other.query('select pg_advisory_unlock_all()')

  await other.query('begin')
  await other.query('select from tier_2min limit 1')
  await expect(compactPartitions(db.database, nowMs)).rejects.toThrow('lock timeout')
  expect(await countRows(getName(5))).toBe(4 * 30)
  await other.query('commit')
  await other.end()

  expect(await compactPartitions(db.database, nowMs)).toEqual([getName(5)])
})

test('the runtime cannot have days packed that charts read', async () => {
  const pack = db.database.transaction({ tenantId: 'alpha' }, (_, client) =>
    client.query('select pack_tier_partition($1)', [getDay(0)]),
  )
  await expect(pack).rejects.toThrow('Charts read the buckets of the last day.')
})
