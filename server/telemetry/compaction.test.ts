import { afterAll, expect, test } from 'vitest'
import { compactPartitions } from './compaction.ts'
import { formatUtcDay } from './partitions.ts'
import { openTwoTenants } from './testing/two-tenants.ts'

const DAY_MS = 86_400_000
const nowMs = Date.now()

const { db, superuser, close } = await openTwoTenants()
afterAll(close)

const TIER = 'tier_15min'
const WEEK_MS = 7 * DAY_MS

const getDay = (weeksAgo: number) => formatUtcDay((Math.floor(nowMs / WEEK_MS) - weeksAgo) * WEEK_MS)
const getName = (weeksAgo: number) => `${TIER}_${getDay(weeksAgo).replaceAll('-', '')}`

/** A week of both tenants' terminals, in arrival order. */
const fillWeek = async (weeksAgo: number) => {
  await superuser.query('select ensure_tier_partition($1, $2)', [TIER, getDay(weeksAgo)])
  await superuser.query(
    `insert into ${TIER} (tenant_id, terminal_id, at, n, downlink_min, downlink_max, downlink_sum, downlink_last,
       latency_sum, non_null_counts, alerts)
     select case when terminal % 2 = 0 then 'alpha' else 'beta' end, terminal, at, 60, 1, terminal, 4.5 * terminal, 3,
       case when terminal % 3 = 0 then 60 end, case when terminal % 3 = 0 then '{60,60,2,60,60,60}'::smallint[] end,
       case when terminal = 4 then array['power_disconnect_detected'] end
     from generate_series($1::date::timestamp at time zone 'UTC', ($1::date + 7)::timestamp at time zone 'UTC'
         - interval '1 second', interval '15 minutes') as at, generate_series(1, 12) as terminal
     order by at, terminal`,
    [getDay(weeksAgo)],
  )
}

const listRows = (tenantId: string) =>
  db.database.transaction({ tenantId }, async (_, client) => {
    const { rows } = await client.query(`select * from ${TIER} order by terminal_id, at`)
    return rows
  })

const readPartition = async (weeksAgo: number) => {
  const { rows } = await superuser.query(
    `select pg_get_expr(relpartbound, oid) as bounds, relrowsecurity as has_policies, relforcerowsecurity as is_forced,
       array(select polname::text from pg_policy where polrelid = pg_class.oid order by 1) as policies,
       relowner::regrole::text as owner, relacl::text as acl,
       array(select pg_get_indexdef(indexrelid) from pg_index where indrelid = pg_class.oid) as indexes,
       array(select conname::text from pg_constraint where conrelid = pg_class.oid order by 1) as constraints
     from pg_class where oid = $1::regclass`,
    [getName(weeksAgo)],
  )
  return { ...rows[0], indexes: rows[0].indexes.map((index: string) => index.replace(/ WITH \(.*\)$/, '')) }
}

const readFiles = async (weeksAgo: number) => {
  const { rows } = await superuser.query<{ file: number; index_bytes: number }>(
    'select pg_relation_filenode($1::regclass) as file, pg_indexes_size($1::regclass) as index_bytes',
    [getName(weeksAgo)],
  )
  return rows[0] as (typeof rows)[0]
}

test('a partition that no longer changes is written anew with a key of half the size, and is otherwise as it was', async () => {
  for (const weeksAgo of [0, 2]) await fillWeek(weeksAgo)
  const before = await readFiles(2)
  const [definition, recent] = [await readPartition(2), await readFiles(0)]
  const rows = { alpha: await listRows('alpha'), beta: await listRows('beta') }

  expect(await compactPartitions(db.database, nowMs)).toEqual([getName(2)])

  expect((await readFiles(2)).index_bytes).toBeLessThan(0.6 * before.index_bytes)
  expect(await readPartition(2)).toEqual(definition)
  expect({ alpha: await listRows('alpha'), beta: await listRows('beta') }).toEqual(rows)
  expect(rows.alpha).toHaveLength(2 * 6 * 672)
  expect(await readFiles(0)).toEqual(recent)

  const compacted = await readFiles(2)
  expect(await compactPartitions(db.database, nowMs)).toEqual([])
  expect(await readFiles(2)).toEqual(compacted)

  const insert = `insert into ${TIER} (tenant_id, terminal_id, at, n)
    select 'alpha', 2, at, 61 from ${TIER} where terminal_id = 2 order by at limit 1
    on conflict (terminal_id, at) do update set n = excluded.n`
  await db.database.transaction({ tenantId: 'alpha' }, (_, client) => client.query(insert))
  expect((await listRows('alpha')).map(({ n }) => n).filter((n) => n === 61)).toHaveLength(1)
})

test('while a backup runs, and while somebody reads for long, a partition stays as it is', async () => {
  await fillWeek(3)
  const before = await readFiles(3)
  const other = await db.connectSuperuser()
  await other.query(`select pg_advisory_lock_shared(hashtextextended('dishboard:backup', 0))`)
  expect(await compactPartitions(db.database, nowMs)).toEqual([])
  await other.query('select pg_advisory_unlock_all()')

  await other.query('begin')
  await other.query(`select from ${TIER} limit 1`)
  await expect(compactPartitions(db.database, nowMs)).rejects.toThrow('lock timeout')
  expect(await readFiles(3)).toEqual(before)
  await other.query('commit')
  await other.end()

  expect(await compactPartitions(db.database, nowMs)).toEqual([getName(3)])
})

test('the runtime cannot have days compacted that may still change, or another table', async () => {
  const compact = (table: string, day: string) =>
    db.database.transaction({ tenantId: 'alpha' }, (_, client) =>
      client.query('select compact_tier_partition($1, $2)', [table, day]),
    )
  await expect(compact(TIER, formatUtcDay(nowMs - DAY_MS))).rejects.toThrow('may still change')
  await expect(compact('users', formatUtcDay(nowMs - 4 * DAY_MS))).rejects.toThrow('There is no tier users.')
})
