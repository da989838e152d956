import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBulkTenant } from './testing/bulk-tenant.ts'

const NORTH = 30

const tenant = await startBulkTenant(NORTH)
const { superuser, ids, addPerson, startBulkWorker, call, start, end, undo, listEntries } = tenant
let stopWorker: () => Promise<void>
const pools: Record<'harbors' | 'docks' | 'south', string> = { harbors: '', docks: '', south: '' }

const createPool = async (who: string, name: string, lines: string[] = []) => {
  const pool_details = { plan_name: name, usage_limit: 500, assigned_service_lines: lines }
  const { status, body } = await call(who, 'POST', 'virtual-plan/', { pool_details })
  expect(status).toBe(200)
  return String(body.virtual_plan_id)
}

beforeAll(async () => {
  await addPerson('admin', 'staff', 'admin')
  await addPerson('planner', 'north', 'user', { plan_manager: 'true' })
  await addPerson('viewer', 'north', 'user')
  pools.harbors = await createPool('planner', 'Harbors')
  pools.docks = await createPool('planner', 'Docks', ['SL-North 0'])
  pools.south = await createPool('admin', 'South pool', ['SL-South'])
  // The cycles of most lines begin on the 12th, those of the first lines on the 5th.
  await superuser.query(
    `insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end,
       priority_gb, standard_gb, opt_in_priority_gb, non_billable_gb)
     select 'a', id, case when at <= 12 then date '2026-01-05' else '2026-01-12' end, '2026-02-01', 0, 0, 0, 0
     from unnest($1::bigint[]) with ordinality as line (id, at)`,
    [ids.north],
  )
  stopWorker = startBulkWorker()
})
afterAll(async () => {
  await stopWorker()
  await tenant.close()
})

const moveTo = (poolId: string | null, terminals = ids.north) => ({ terminals, change: { kind: 'pool', poolId } })
const listLines = async (pool: string) => {
  const { rows } = await superuser.query('select service_line_id::text as id from pool_lines where pool_id = $1', [
    pool,
  ])
  return rows.map(({ id }) => id).sort()
}
const readPool = async (pool: string) => {
  const { rows } = await superuser.query('select version, anchor_day, group_name from pools where id = $1', [pool])
  return rows[0]
}

/** How many changes of a pool were published. */
const countChanges = async (pool: string) => {
  const { rows } = await superuser.query("select from events where type = 'pool.changed' and pool_id = $1", [pool])
  return rows.length
}

test('only who manages plans moves lines, and only into pools that they see', async () => {
  expect((await call('viewer', 'POST', 'bulk-preview/', moveTo(pools.harbors))).status).toBe(403)
  expect((await call('viewer', 'POST', 'bulk-changes/', moveTo(pools.harbors))).status).toBe(403)
  expect((await call('planner', 'POST', 'bulk-changes/', moveTo(pools.south))).status).toBe(404)
  expect((await call('planner', 'POST', 'bulk-changes/', moveTo(pools.harbors, ids.south))).status).toBe(403)
})

test('lines join a pool as by its form, and one in another pool stays there', async () => {
  const preview = (await call('planner', 'POST', 'bulk-preview/', moveTo(pools.harbors))).body
  expect(preview.counts).toEqual({ changing: NORTH - 1, unchanged: 0, failed: 1 })
  expect(preview.lines.slice(0, 2)).toEqual([
    { name: 'North 0', before: 'Docks', after: 'Harbors', problem: 'It is in another pool already.' },
    { name: 'North 1', before: null, after: 'Harbors', problem: null },
  ])
  const { version } = await readPool(pools.harbors)
  const id = await start('planner', moveTo(pools.harbors))
  const done = await end('planner', id)
  expect(done).toMatchObject({ state: 'finished', counts: { done: NORTH - 1, failed: 1 }, canUndo: true })
  expect(done.lines[0]).toMatchObject({ name: 'North 0', problem: 'It is in another pool already.' })
  expect(await listLines(pools.harbors)).toEqual(ids.north.slice(1).sort())
  expect([await countChanges(pools.harbors), await countChanges(pools.docks)]).toEqual([1, 0])
  const entries = await listEntries('service_line.pool', id)
  expect(entries).toHaveLength(NORTH - 1)
  expect(entries[0]).toMatchObject({ before: { pool: null }, after: { pool: 'Harbors' } })
  const pool = await readPool(pools.harbors)
  expect(pool).toMatchObject({ anchor_day: 12, group_name: 'north' })
  // A form opened before the change would remove the lines again.
  expect(pool.version).toBeGreaterThan(version)

  await call('planner', 'POST', 'bulk-preview/', moveTo(pools.harbors)).then(({ body }) =>
    expect(body.counts).toEqual({ changing: 0, unchanged: NORTH - 1, failed: 1 }),
  )
  const undone = await undo('planner', id)
  expect(undone).toMatchObject({ isUndo: true, counts: { done: NORTH - 1, failed: 0 } })
  expect(await listLines(pools.harbors)).toEqual([])
})

test('lines leave their pools, and undo puts each back into its own, unless it is in another by then', async () => {
  const [first, second, third] = ids.north as [string, string, string]
  await end('planner', await start('planner', moveTo(pools.harbors, [second, third])))
  const id = await start('planner', moveTo(null, [first, second, third]))
  expect(await end('planner', id)).toMatchObject({ counts: { done: 3, failed: 0 } })
  expect([await listLines(pools.docks), await listLines(pools.harbors)]).toEqual([[], []])
  await end('planner', await start('planner', moveTo(pools.docks, [third])))
  const undone = await undo('planner', id)
  expect(undone.counts).toMatchObject({ done: 2, failed: 1 })
  expect(undone.lines[0]).toMatchObject({ name: 'North 2', problem: 'It was changed since.' })
  expect([await listLines(pools.docks), await listLines(pools.harbors)]).toEqual([[first, third].sort(), [second]])
})

test('a pool that the user does not see keeps its lines', async () => {
  await superuser.query("update service_lines set group_name = 'north' where id = $1", [ids.south[0]])
  const id = await start('planner', moveTo(null, ids.south))
  const done = await end('planner', id)
  expect(done.counts.done).toBe(0)
  expect(JSON.stringify(done)).not.toContain('South pool')
  expect(await listLines(pools.south)).toEqual(ids.south)
})

test('a change that is stopped on the way publishes once that its pool has changed', async () => {
  await stopWorker()
  const id = await start('planner', moveTo(pools.harbors))
  // As if a worker had done half of it.
  await superuser.query("update bulk_lines set state = 'done' where bulk_id = $1 and position <= 25", [id])
  const before = await countChanges(pools.harbors)
  expect((await call('planner', 'POST', `bulk-changes/${id}/stop/`)).status).toBe(200)
  expect(await countChanges(pools.harbors)).toBe(before + 1)
  stopWorker = startBulkWorker()
})
