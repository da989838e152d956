import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'
import { openDatabase } from '../platform/database/database.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { addLine } from '../testing/add-line.ts'
import { createTestDatabase } from '../testing/database.ts'
import type { View } from './fragments.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

let stored: Awaited<ReturnType<typeof createTestDatabase>>
const tenantId = 'a'
const now = () => new Date('2026-11-15T12:05:00Z')
const LINES = 5
const lineIds: number[] = []

const write = (work: (client: pg.PoolClient) => Promise<unknown>) =>
  stored.database.transaction({ tenantId }, (_, client) => work(client))

beforeAll(async () => {
  stored = await createTestDatabase()
  const owner = openDatabase(stored.owner, () => {})
  await owner.transaction({ tenantId }, (db) =>
    createTenant(db, { performer: 'test', now: new Date() }, { id: tenantId, hosts: ['a.example'], config: {} }),
  )
  await owner.close()
  await stored.database.transaction({ tenantId }, async (db, client) => {
    for (let index = 0; index < LINES; index++) {
      const { lineId, terminalIds } = await addLine(db, tenantId, {
        service_line_number: `L${index}`,
        group_name: index % 2 ? 'north' : 'south',
        latitude: 64.5,
        longitude: -165.4,
        metadata2: 'unchanged',
        terminals: [{}, {}],
      })
      lineIds.push(lineId)
      await client.query(
        `insert into status_intervals (tenant_id, terminal_id, started_at, status, noted_at)
         select $1, id, '2026-11-14T20:00:00Z', 'online', '2026-11-14T20:00:00Z' from unnest($2::bigint[]) as id`,
        [tenantId, terminalIds],
      )
      await client.query(
        `insert into latest (tenant_id, terminal_id, at, latency_ms)
         select $1, id, '2026-11-15T12:00:00Z', 30 from unnest($2::bigint[]) as id`,
        [tenantId, terminalIds],
      )
    }
    await client.query(
      `insert into feed_coverage (tenant_id, credential_id, day, observed)
       select $1, id, (day at time zone 'UTC')::date, tstzmultirange(tstzrange(day, day + interval '1 day'))
       from vendor_credentials, unnest('{2026-11-14T00:00:00Z,2026-11-15T00:00:00Z}'::timestamptz[]) as day`,
      [tenantId],
    )
  })
})
afterAll(() => stored.close())

/** Anything that can happen to a line, one statement each. */
const statements = {
  renamed: "update service_lines set nickname = nickname || 'x' where id = $1",
  moved:
    "update service_lines set group_name = case group_name when 'north' then 'south' else 'north' end where id = $1",
  noted: "update service_lines set metadata1 = coalesce(metadata1, '') || 'm' where id = $1",
  sampled: `update latest set at = at + interval '15 s', latency_ms = latency_ms + 1, alerts = '{pop_change}'
    where terminal_id = (select min(id) from terminals where service_line_id = $1)`,
  goneAndBack: 'update service_lines set removed_at = case when removed_at is null then now() end where id = $1',
  wentDownOrCameBack: `with ended as (
      update status_intervals set ended_at = started_at + interval '90 s' where ended_at is null and terminal_id =
        (select min(id) from terminals where service_line_id = $1) returning *)
    insert into status_intervals (tenant_id, terminal_id, started_at, status, noted_at)
    select tenant_id, terminal_id, ended_at, case status when 'online' then 'offline' else 'online' end, ended_at from ended`,
  dishLost: `update terminals set removed_at = case when removed_at is null then now() end
    where id = (select max(id) from terminals where service_line_id = $1)`,
}

const views: View[] = [undefined, 'north', 'south'].flatMap((group) => [
  { group, details: false, metadata: false },
  { group, details: true, metadata: false },
  { group, details: true, metadata: true },
])

type Wire = { id: string } & Record<string, unknown>

const createReader = (snapshot: Snapshot, view: View, retainsAll: boolean) => {
  const read = () => JSON.parse(String(snapshot.body(view))) as { data: Wire[]; revision: string }
  let { data, revision } = read()
  let items = new Map(data.map((item) => [item.id, item]))
  return {
    items: () => items,
    catchUp: () => {
      const delta = snapshot.deltaSince(view, revision)
      if (!delta) {
        if (retainsAll) throw new Error('The snapshot no longer retains a recent revision.')
        ;({ data, revision } = read())
        items = new Map(data.map((item) => [item.id, item]))
        return
      }
      for (const id of delta.goneIds) items.delete(id)
      for (const whole of delta.whole.map((text) => JSON.parse(text) as Wire)) items.set(whole.id, whole)
      for (const change of delta.changes.map((text) => JSON.parse(text) as Wire)) {
        if (!items.has(change.id)) throw new Error('A change of an item that the reader does not have.')
        items.set(change.id, { ...items.get(change.id), ...change })
      }
      revision = snapshot.revision(view)
      items = new Map(items)
    },
  }
}

const sorted = (items: Iterable<Wire>) => [...items].sort((a, b) => (a.id < b.id ? -1 : 1))

// The first retains everything that happens in this test. The second purges fields and changes within a few steps.
const retentions = {
  'long retention': undefined,
  'short retention': { changes: { min: 5, perLine: 0 }, fields: { min: 2, perLine: 0 } },
}

test.for(Object.entries(retentions))(
  'a client that applies the changes, in any view and with any pauses, has the same items as a fresh load: %s',
  async ([, retention]) => {
    const step = fc.record({
      what: fc.constantFrom(...(Object.keys(statements) as (keyof typeof statements)[])),
      line: fc.nat({ max: LINES - 1 }),
      catchesUp: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
        const snapshot = createSnapshot(stored.database, tenantId, { now, retention })
        await snapshot.refresh('all')
        const readers = views.map((view) => ({ view, ...createReader(snapshot, view, retention === undefined) }))
        for (const { what, line, catchesUp } of steps) {
          const id = lineIds[line] as number
          await write((client) => client.query(statements[what], [id]))
          await snapshot.refresh([id])
          if (catchesUp) for (const reader of readers) reader.catchUp()
        }
        const fresh = createSnapshot(stored.database, tenantId, { now })
        await fresh.refresh('all')
        for (const { view, catchUp, items } of readers) {
          catchUp()
          const expected = JSON.parse(String(fresh.body(view))).data as Wire[]
          expect(sorted(items().values())).toEqual(sorted(expected))
          expect(sorted(JSON.parse(String(snapshot.body(view))).data)).toEqual(sorted(expected))
        }
      }),
      { numRuns: 12 },
    )
  },
)

test('a view equals the filtered fleet and matches the contract', async () => {
  const snapshot = createSnapshot(stored.database, tenantId)
  await snapshot.refresh('all')
  const all = JSON.parse(String(snapshot.body({ group: undefined, details: true, metadata: true }))).data as Wire[]
  const groupsByNickname = new Map(
    (
      (await write((client) => client.query('select nickname, group_name from service_lines'))) as pg.QueryResult
    ).rows.map((row) => [row.nickname, row.group_name]),
  )
  for (const view of views) {
    const { data } = JSON.parse(String(snapshot.body(view))) as { data: Wire[] }
    const seen = all.filter(({ nickname }) => view.group === undefined || groupsByNickname.get(nickname) === view.group)
    expect(data.map(({ id }) => id)).toEqual(seen.map(({ id }) => id))
    for (const item of data) {
      expect('metadata2' in item).toBe(view.metadata)
      expect(z.safeDecode(view.details ? TerminalDetailsItem : TerminalListItem, item as never).success).toBe(true)
    }
  }
})

test('only administrators see the usage of a pool that several groups share, in the list and in changes', async () => {
  const shared = lineIds.slice(0, 2)
  const details = (group: string | undefined): View => ({ group, details: true, metadata: false })
  const readPools = (snapshot: Snapshot, group: string | undefined) => {
    const items = JSON.parse(String(snapshot.body(details(group)))).data as Wire[]
    return new Set(items.map((item) => `${item.virtual_plan_name} ${item.pool_current_usage} ${item.pool_usage_limit}`))
  }
  await write(async (client) => {
    await client.query('update service_lines set removed_at = null')
    await client.query("update service_lines set group_name = 'north' where id = $1", [shared[0]])
    await client.query("update service_lines set group_name = 'south' where id = $1", [shared[1]])
    const pool = await client.query(
      `insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb,
         anchor_day, cycle_start, cycle_end, used_gb, created_at)
       values ($1, 'Shared', null, 'Soft Cap', 500, 500, 1, '2026-11-01', '2026-12-01', 321, now()) returning id`,
      [tenantId],
    )
    for (const id of shared)
      await client.query('insert into pool_lines values ($1, $2, $3)', [tenantId, id, pool.rows[0].id])
  })
  const snapshot = createSnapshot(stored.database, tenantId)
  await snapshot.refresh('all')
  expect(readPools(snapshot, undefined)).toContain('Shared 321 500')
  for (const group of ['north', 'south']) expect([...readPools(snapshot, group)]).toEqual(['null null null'])

  const before = ['north', undefined].map((group) => snapshot.revision({ group }))
  const readChanges = (group: string | undefined, since: string | undefined) =>
    JSON.stringify(snapshot.deltaSince(details(group), since as string))
  await write((client) => client.query('update pools set used_gb = 432'))
  await snapshot.refresh(shared)
  expect(readChanges('north', before[0])).not.toContain('432')
  expect(readChanges(undefined, before[1])).toContain('432')

  // When a pool of one group becomes shared, that group can no longer see its usage.
  await write((client) => client.query("update pools set group_name = 'north'"))
  await snapshot.refresh(shared)
  expect(readPools(snapshot, 'north')).toContain('Shared 432 500')
  const whileOwn = snapshot.revision({ group: 'north' })
  await write((client) => client.query('update pools set group_name = null, used_gb = 433'))
  await snapshot.refresh(shared)
  expect(readChanges('north', whileOwn)).toContain('"virtual_plan_name\\":null')
  expect(readChanges('north', whileOwn)).not.toContain('433')
})

test('does not accept a revision from before the start, from another process or from the future', async () => {
  const snapshot = createSnapshot(stored.database, tenantId)
  await snapshot.refresh('all')
  const [view] = views as [View]
  const revision = snapshot.revision(view)
  expect(snapshot.deltaSince(view, revision)).toEqual({ whole: [], changes: [], goneIds: [] })
  for (const unknown of ['other.1', `${revision}9`, `${revision.split('.')[0]}.-1`, 'nonsense', ''])
    expect(snapshot.deltaSince(view, unknown)).toBeUndefined()
})
