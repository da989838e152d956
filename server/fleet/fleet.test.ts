import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../platform/database/database.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { assignGroup } from './assign-group.ts'
import { notifyLinesChanged } from './notify.ts'

let server: TestServer
let tokens: Record<'admin' | 'north' | 'south' | 'other', string>

const addFleetLine = (database: Database, tenantId: string, number: string, group: string, terminals: number) =>
  database.transaction({ tenantId }, async (db, client) => {
    const { lineId, terminalIds } = await addLine(db, tenantId, {
      service_line_number: number,
      nickname: `${number} nickname`,
      group_name: group,
      street: 'Front Street',
      city: 'Nome',
      state: 'AK',
      latitude: 64.5,
      longitude: -165.4,
      terminals: Array.from({ length: terminals }, () => ({})),
    })
    await client.query(
      `with state as (insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status)
         select $1, id, now() - interval '1 hour', now(), 'online' from unnest($2::bigint[]) as id)
       insert into latest (tenant_id, terminal_id, at, alerts, h3_cell, downlink_mbps)
       select $1, id, '2026-11-15T12:00:00Z', '{pop_change}', '855f4157fffffff', 12.5 from unnest($2::bigint[]) as id`,
      [tenantId, terminalIds],
    )
    await notifyLinesChanged(db, tenantId, [lineId])
    return lineId
  })

beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin', username: 'staff' })
  await server.addUser('a', { email: 'north@mail.example', username: 'north' })
  await server.addUser('a', { email: 'south@mail.example', username: 'south' })
  await server.addUser('b', { email: 'admin@mail.example', role: 'admin', username: 'staff' })
  tokens = {
    admin: (await server.signIn('a', 'admin@mail.example')).access,
    north: (await server.signIn('a', 'north@mail.example')).access,
    south: (await server.signIn('a', 'south@mail.example')).access,
    other: (await server.signIn('b', 'admin@mail.example')).access,
  }
})
afterAll(() => server.close())

let lines: Record<'n1' | 's1' | 'other', number>
beforeEach(async () => {
  for (const tenantId of ['a', 'b'])
    await server.database.transaction({ tenantId }, async (db, client) => {
      for (const table of ['latest', 'status_intervals', 'terminals']) await client.query(`delete from ${table}`)
      const { rows } = await client.query('delete from service_lines returning id')
      await notifyLinesChanged(
        db,
        tenantId,
        rows.map(({ id }) => id),
      )
    })
  await eventually('admin', [])
  await eventually('other', [])
  lines = {
    n1: await addFleetLine(server.database, 'a', 'N1', 'north', 1),
    s1: await addFleetLine(server.database, 'a', 'S1', 'south', 2),
    other: await addFleetLine(server.database, 'b', 'B1', 'north', 1),
  }
  await eventually('admin', ['N1', 'S1', 'S1'])
  await eventually('other', ['B1'])
})

type Who = keyof typeof tokens

const list = async (who: Who, headers: Record<string, string> = {}) =>
  server.call(who === 'other' ? 'b' : 'a', 'GET', '/api/terminals/', { token: tokens[who], headers })
const linesSeen = async (who: Who) =>
  (await list(who)).body.data.map((item: { serviceLine: string }) => item.serviceLine).sort()
const eventually = (who: Who, expected: string[]) =>
  expect.poll(() => linesSeen(who), { interval: 50 }).toEqual(expected)

test('an administrator sees every line, a user those of their group, and neither sees another tenant’s', async () => {
  expect(await linesSeen('admin')).toEqual(['N1', 'S1', 'S1'])
  expect(await linesSeen('north')).toEqual(['N1'])
  expect(await linesSeen('south')).toEqual(['S1', 'S1'])
  expect(await linesSeen('other')).toEqual(['B1'])
})

test('an item has every field that the list and the map show, in the wire encoding', async () => {
  const { body } = await list('north')
  expect(body.data).toEqual([
    {
      id: String(lines.n1),
      deviceID: 'N1-1',
      serviceLine: 'N1',
      nickname: 'N1 nickname',
      customname: 'N1 nickname',
      status: 'online',
      alerts: '["pop_change"]',
      isMobile: false,
      coordinates: '[64.5,-165.4]',
      street: 'Front Street',
      city: 'Nome',
      state: 'AK',
      lastSeen: '2026-11-15T12:00:00.000Z',
      h: expect.stringMatching(/^[\w-]{17}$/),
    },
  ])
})

test('lists a second terminal of a line as its own item and a line without a terminal as no data', async () => {
  const empty = await addFleetLine(server.database, 'a', 'N2', 'north', 0)
  await eventually('north', ['N1', 'N2'])
  const north = (await list('north')).body.data
  expect(north.find((item: { id: string }) => item.id === String(empty))).toMatchObject({
    status: 'no data',
    deviceID: null,
    lastSeen: null,
  })
  const south = (await list('south')).body.data
  expect(south.map((item: { id: string }) => item.id)).toEqual([String(lines.s1), `${lines.s1}.2`])
})

test('a mobile line has the position of its dish', async () => {
  await server.database.transaction({ tenantId: 'a' }, async (db, client) => {
    await client.query('update service_lines set is_mobile = true where id = $1', [lines.n1])
    await notifyLinesChanged(db, 'a', [lines.n1])
  })
  await expect.poll(async () => (await list('north')).body.data[0].coordinates).not.toBe('[64.5,-165.4]')
  expect((await list('north')).body.data[0]).toMatchObject({
    isMobile: true,
    coordinates: expect.stringMatching(/^\[.+,.+\]$/),
  })
})

test('a removed line leaves the list, and a reassigned line moves to the list of its new group', async () => {
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    assignGroup(db, { tenantId: 'a', serviceLineNumbers: ['N1'], group: 'south' }),
  )
  await eventually('south', ['N1', 'S1', 'S1'])
  await eventually('north', [])
  await server.database.transaction({ tenantId: 'a' }, async (db, client) => {
    await client.query('update service_lines set removed_at = now() where id = $1', [lines.n1])
    await notifyLinesChanged(db, 'a', [lines.n1])
  })
  await eventually('south', ['S1', 'S1'])
  expect(await linesSeen('other')).toEqual(['B1'])
})

test('returns 304 for an unchanged list, also after a change in another group', async () => {
  const north = (await list('north')).headers.etag as string
  const admin = (await list('admin')).headers.etag as string
  expect(north).not.toBe(admin)
  expect(await list('north', { 'if-none-match': north })).toMatchObject({ status: 304, body: '' })
  // ETags are compared weakly (RFC 9110), and any of a list may match.
  expect((await list('north', { 'if-none-match': `"x", ${north.slice(2)}` })).status).toBe(304)
  expect((await list('north', { 'if-none-match': admin })).status).toBe(200)
  expect((await list('other', { 'if-none-match': admin })).status).toBe(200)
  await addFleetLine(server.database, 'a', 'S2', 'south', 1)
  await eventually('admin', ['N1', 'S1', 'S1', 'S2'])
  expect((await list('north', { 'if-none-match': north })).status).toBe(304)
  expect((await list('admin', { 'if-none-match': admin })).status).toBe(200)
})

test.each([
  ['zstd', zstdDecompressSync],
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
  ['identity', (body: Buffer) => body],
] as const)('sends the list as %s to a client that accepts it', async (encoding, unpack) => {
  const { headers, rawPayload } = await server.app.inject({
    url: '/api/terminals/',
    headers: { host: 'a.example', authorization: `Bearer ${tokens.north}`, 'accept-encoding': encoding },
  })
  expect(headers['content-encoding'] ?? 'identity').toBe(encoding)
  expect(JSON.parse(unpack(rawPayload).toString()).data).toMatchObject([{ serviceLine: 'N1' }])
})

test('misses no change that happens while the listening connection is down', async () => {
  const admin = await server.connectSuperuser()
  // The last statement of the listening connection is LISTEN or its health check.
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and (query like 'listen%' or query = 'select 1')`,
  )
  await server.database.transaction({ tenantId: 'a' }, (_, client) =>
    client.query("update service_lines set nickname = 'Renamed meanwhile' where id = $1", [lines.n1]),
  )
  await admin.end()
  await expect.poll(async () => (await list('north')).body.data[0].nickname).toBe('Renamed meanwhile')
})

test('details include the newest values and usage, and metadata only for users who may see it', async () => {
  await server.database.transaction({ tenantId: 'a' }, async (db, client) => {
    await client.query("update service_lines set metadata1 = 'Secret' where id = $1", [lines.n1])
    await client.query(
      `insert into line_usage values ('a', $1, '2026-10-01', '2026-11-01', 9, 9, 0, 0, 50, '[]'),
       ('a', $1, '2026-11-01', '2026-12-01', 1.5, 2.5, 0, 0, 50, '[{"dataBlockType":"Overage","totalAmountGB":5,"consumedAmountGB":1}]')`,
      [lines.n1],
    )
    await notifyLinesChanged(db, 'a', [lines.n1])
  })
  const details = async (who: Who) =>
    (await server.call('a', 'GET', '/api/terminals/details/', { token: tokens[who] })).body.data
  await expect.poll(async () => (await details('admin'))[0].metadata1).toBe('Secret')
  const [north] = await details('north')
  expect(north).toMatchObject({
    serviceLine: 'N1',
    priority_GB: 1.5,
    standard_GB: 2.5,
    usage_limit_GB: 50,
    data_blocks: '[{"dataBlockType":"Overage","consumedAmountGB":1,"totalAmountGB":5}]',
    downlink: 12.5,
    clients: null,
  })
  expect(north).not.toHaveProperty('metadata1')
  const admin = await details('admin')
  expect(admin).toHaveLength(3)
  expect(admin[0]).toMatchObject({ metadata1: 'Secret' })
  await server.database.transaction({ tenantId: 'a' }, (_, client) => client.query('delete from line_usage'))
})
