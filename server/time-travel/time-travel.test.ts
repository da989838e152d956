import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../platform/database/database.ts'
import { openDatabase } from '../platform/database/database.ts'
import { createTwoFeeds, type TwoFeeds } from '../telemetry/testing/two-feeds.ts'
import { createRandom } from '../testing/random.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { readPastState } from './past-fleet.ts'
import { findSource } from './past-values.ts'
import { purgeVersions } from './purge-versions.ts'
import { createFleetChanges, pick } from './testing/random-changes.ts'

let feeds: TwoFeeds
let fleet: ReturnType<typeof createFleetChanges>
let server: TestServer
let superuser: pg.Client
const tokens = new Map<string, string>()

beforeAll(async () => {
  feeds = await createTwoFeeds()
  fleet = createFleetChanges(feeds)
  server = await startTestServer({}, feeds)
  superuser = await feeds.connectSuperuser()
  for (const tenant of ['alpha', 'beta']) {
    await superuser.query('insert into tenant_hosts (host, tenant_id) values ($1, $2)', [`${tenant}.example`, tenant])
    await server.addUser(tenant, { email: 'admin@mail.example', role: 'admin', username: 'staff' })
    await server.addUser(tenant, { email: 'north@mail.example', username: 'north' })
    for (const who of ['admin', 'north'])
      tokens.set(`${tenant} ${who}`, (await server.signIn(tenant, `${who}@mail.example`)).access)
  }
})
afterAll(() => server.close())

const inTenant = <T>(work: (db: Db) => Promise<T>, tenantId = 'alpha') =>
  server.database.transaction({ tenantId }, work)

const get = async (path: string, who = 'alpha admin', headers: Record<string, string> = {}) =>
  server.call(who.split(' ')[0] as string, 'GET', path, { token: tokens.get(who) as string, headers })

/** The current response of the live call, without waiting for a notification. The past does not show the last 24 hours. */
const readLive = async (who = 'alpha admin', path = '/api/terminals/details/') => {
  await (await server.services.fleet.snapshot('alpha')).refresh('all')
  const items: Item[] = (await get(path, who)).body.data
  return sortById(items.map((item) => ({ ...item, h: null })))
}

const sortById = (items: Item[]) => items.toSorted((a, b) => a.id.localeCompare(b.id))

const readAt = async (at: Date, who = 'alpha admin', path = '/api/terminals/details/') => {
  const { status, body } = await get(`${path}?at=${at.toISOString()}`, who)
  expect(status, JSON.stringify(body.message)).toBe(200)
  return sortById(body.data)
}

/** The current database time in whole milliseconds, later than everything before it and earlier than what comes next. */
const takeMoment = async () => {
  const { rows } = await superuser.query<{ at: Date }>(
    "select date_trunc('milliseconds', clock_timestamp()) + '1 ms' as at",
  )
  const { at } = rows[0] as { at: Date }
  const hasPassed = async () =>
    (await superuser.query<{ yes: boolean }>('select clock_timestamp() > $1 as yes', [at])).rows[0]?.yes
  while (!(await hasPassed()));
  server.clock.now = new Date(at.getTime() + 60_000)
  return at
}

interface Item {
  id: string
  status: string
}

interface Remembered {
  at: Date
  admin: Item[]
  north: Item[]
  list: Item[]
}

const remembered: Remembered[] = []
const LIST = '/api/terminals/'

test('the fleet at a time is what the live call said then, after random changes', async () => {
  const random = createRandom(7_919)
  const changes = fleet.listChanges(random)
  await changes[0]?.()
  for (let step = 0; step < 30; step++) {
    for (let count = 0; count <= random() * 2; count++) await pick(random, changes)()
    const [admin, north] = [await readLive(), await readLive('alpha north')]
    const list = await readLive('alpha admin', LIST)
    remembered.push({ at: await takeMoment(), admin, north, list })
  }
  for (const { at, admin, north, list } of remembered) {
    expect(await readAt(at), at.toISOString()).toEqual(admin)
    expect(await readAt(at, 'alpha admin', LIST), at.toISOString()).toEqual(list)
    expect(await readAt(at, 'alpha north'), at.toISOString()).toEqual(north)
  }
  const states = new Set(remembered.flatMap(({ admin }) => admin.map(({ status }) => status)))
  expect(states).toContain('online')
  expect(states).toContain('offline')
})

interface Detail {
  service_line_data: object
  monthlyUsage: object | null
  terminal_data: { status: string; update_from_telemetry: string; signals: { timestamp: number }[] }[]
  period: { to: string }
}

const getDetail = async (at?: Date): Promise<Detail> => {
  const { status, body } = await get(`/api/terminals/SL-one/180/${at ? `?at=${at.toISOString()}` : ''}`)
  expect(status, JSON.stringify(body.message)).toBe(200)
  return body
}

test('the page of a terminal at a time shows that time, and nothing later', async () => {
  const changes = fleet.listChanges(createRandom(11))
  await inTenant((db) => sql`update service_lines set removed_at = null, is_mobile = false`.execute(db))
  await inTenant((db) =>
    sql`update terminals set removed_at = null, service_line_id = line.id from service_lines as line
      where line.service_line_number = 'SL-' || device_id`.execute(db),
  )
  const reportedUntilMs = await fleet.reportAll(5)
  server.clock.now = new Date(reportedUntilMs)
  const before = await getDetail()
  const at = await takeMoment()
  await inTenant((db) => sql`update service_lines set custom_name = 'Later', city = 'Elsewhere'`.execute(db))
  await fleet.reportAll(4)
  for (const change of changes) await change()
  await inTenant((db) => sql`update service_lines set removed_at = null`.execute(db))
  const { service_line_data, monthlyUsage, terminal_data, period } = await getDetail(at)
  expect(period.to).toBe(at.toISOString())
  expect(service_line_data).toEqual(before.service_line_data)
  expect(monthlyUsage).toEqual(before.monthlyUsage)
  const [terminal, ...others] = terminal_data
  expect(others).toEqual([])
  expect(terminal).toMatchObject({
    status: before.terminal_data[0]?.status,
    update_from_telemetry: before.terminal_data[0]?.update_from_telemetry,
  })
  expect(Date.parse(terminal?.update_from_telemetry ?? '')).toBe(reportedUntilMs)
  for (const who of ['beta admin', 'alpha north'] as const) {
    const { status } = await get(`/api/terminals/SL-one/180/?at=${at.toISOString()}`, who)
    expect(status).toBe(200)
  }
})

test('values come from samples while there are any, and then from a tier that is not packed', () => {
  const find = (days: number) => findSource(new Date(0 - days * 86_400_000), new Date(0))
  expect(find(1)).toMatchObject({ tier: null })
  expect([3, 7, 31, 61, 399].map((days) => find(days)?.tier?.name)).toEqual([
    'tier_15min',
    'tier_15min',
    'tier_15min',
    'tier_1h',
    'tier_2h',
  ])
})

test('another connection, as after a restart, rebuilds the same', async () => {
  const other = openDatabase(feeds.runtime, () => {})
  const { at } = remembered.at(15) as Remembered
  const read = (database: typeof other) => readPastState(database, { tenantId: 'alpha', at }, server.clock.now)
  expect((await read(other)).rows).toEqual((await read(server.database)).rows)
  await other.close()
})

test('who may see what is decided by the rights of now', async () => {
  const { at, north } = remembered.at(-1) as Remembered
  expect(north.length).toBeGreaterThan(0)
  await inTenant((db) => sql`update service_lines set group_name = 'south'`.execute(db))
  expect(await readAt(at, 'alpha north')).toEqual([])
  const ids = new Set(north.map(({ id }) => id))
  expect((await readAt(at, 'beta admin')).filter(({ id }) => ids.has(id))).toEqual([])
  await inTenant((db) => sql`update service_lines set group_name = 'north'`.execute(db))
})

test('a time that is unclear, has not come or is long over is refused in words', async () => {
  const ask = async (at: string) => (await get(`/api/terminals/?at=${encodeURIComponent(at)}`)).body.message
  expect(await ask('yesterday')).toContain('at: ')
  expect(await ask('2026-11-17T14:00')).toContain('at: ')
  expect(await ask('2200-01-01T00:00:00Z')).toBe('at: please choose a time that has passed.')
  expect(await ask('2020-01-01T00:00:00Z')).toContain('at: nothing is known before ')
})

test('an unchanged past is not sent again', async () => {
  const at = new Date(server.clock.now.getTime() - 3_600_000).toISOString()
  const { headers } = await get(`/api/terminals/?at=${at}`)
  const again = await get(`/api/terminals/?at=${at}`, 'alpha admin', { 'if-none-match': String(headers.etag) })
  expect(again.status).toBe(304)
  const other = await get(`/api/terminals/?at=${at}`, 'alpha north', { 'if-none-match': String(headers.etag) })
  expect(other.status).toBe(200)
  // It is not the same for its former customer once a line has moved to another one.
  const move = (group: string) =>
    superuser.query(
      "update service_lines set group_name = $1 where tenant_id = 'alpha' and id = (select min(id) from service_lines where tenant_id = 'alpha')",
      [group],
    )
  const before = await superuser.query(
    "select group_name from service_lines where tenant_id = 'alpha' order by id limit 1",
  )
  await move('another customer')
  const moved = await get(`/api/terminals/?at=${at}`, 'alpha admin', { 'if-none-match': String(headers.etag) })
  expect(moved.status).toBe(200)
  await move(before.rows[0].group_name)
})

test('before facts were recorded, only the status and the first known name are shown, and the response says so', async () => {
  const long = new Date(Date.now() - 20 * 86_400_000)
  await superuser.query(
    `insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, noted_at, status)
     select tenant_id, id, $1::timestamptz - interval '1 day', $1::timestamptz + interval '1 day', $1::timestamptz - interval '1 day', 'offline'
     from terminals where tenant_id = 'beta' and device_id = 'one'`,
    [long],
  )
  await inTenant(
    (db) => sql`update service_lines set custom_name = 'Renamed', city = 'Nome' where nickname = 'one'`.execute(db),
    'beta',
  )
  const { body } = await get(`/api/terminals/details/?at=${long.toISOString()}`, 'beta admin')
  expect(body.data).toMatchObject([
    { serviceLine: 'SL-one', customname: 'one', status: 'offline', alerts: '[]', coordinates: null, city: null },
  ])
  expect(body.past).toMatchObject({ at: long.toISOString(), newestAt: null, stepS: 900 })
  expect(Date.parse(body.past.statusSince)).toBe(long.getTime() - 86_400_000)
  expect(Date.parse(body.past.factsSince)).toBeGreaterThan(long.getTime())
})

test('before an account was connected, a status is what its history says', async () => {
  const connectedMs = Date.now() - 10 * 86_400_000
  const daysBefore = (days: number) => new Date(connectedMs - days * 86_400_000).toISOString()
  await superuser.query("update vendor_credentials set created_at = $1 where tenant_id = 'beta'", [daysBefore(0)])
  await superuser.query(`delete from status_intervals where tenant_id = 'beta'`)
  await superuser.query(
    `insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, noted_at, status)
     select tenant_id, id, past.started_at, past.ended_at, past.noted_at, past.status
     from terminals, (values ($1::timestamptz, $2::timestamptz, $1::timestamptz, 'offline'), ($2, null, $3, 'online'))
       as past (started_at, ended_at, noted_at, status)
     where tenant_id = 'beta' and device_id = 'one'`,
    [daysBefore(2), daysBefore(1), daysBefore(0)],
  )
  const statusAt = async (at: string) =>
    (await get(`/api/terminals/details/?at=${at}`, 'beta admin')).body.data[0]?.status
  expect(await statusAt(daysBefore(1.5))).toBe('offline')
  expect(await statusAt(daysBefore(0.5))).toBe('online')
  expect(await statusAt(daysBefore(-0.5))).toBe('online')
})

test('what was never recorded, as after the restore of an old backup, is not shown as it is now', async () => {
  await superuser.query("delete from fact_versions where tenant_id = 'beta'")
  const { body } = await get(`/api/terminals/details/?at=${new Date(Date.now() - 60_000).toISOString()}`, 'beta admin')
  expect(body).toMatchObject({ data: [], past: { factsSince: null } })
})

test('purging leaves every time that can be requested as it was', async () => {
  const { at, admin } = remembered.at(10) as Remembered
  await inTenant((db) => purgeVersions(db, 'alpha', server.clock.now))
  expect(await readAt(at)).toEqual(admin)
  const count = async () =>
    Number((await superuser.query("select count(*) from fact_versions where tenant_id = 'alpha'")).rows[0].count)
  const before = await count()
  // A year later, one version of each remains.
  const later = new Date(server.clock.now.getTime() + 401 * 86_400_000)
  await inTenant((db) => purgeVersions(db, 'alpha', later))
  expect(await count()).toBeLessThan(before)
  const { rows } = await superuser.query(
    "select max(count)::int as most from (select count(*) from fact_versions where tenant_id = 'alpha' group by kind, subject_id) as each",
  )
  expect(rows).toEqual([{ most: 1 }])
})
