import { latLngToCell } from 'h3-js'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Incident } from '#contract/incidents.ts'
import { sendUntil, setPreferences } from '../notifications/testing/fleet.ts'
import { ensureTierPartitions, formatUtcDay } from '../telemetry/partitions.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { createWarningQueue, judgeDay } from './queue.ts'

const DAY_MS = 86_400_000
/** Ten days ago, so that the following days have ended too. */
const noon = (Math.floor(Date.now() / DAY_MS) - 10 + 0.5) * DAY_MS
const after = (days: number) => new Date(noon + days * DAY_MS)
const NOME: [number, number] = [64.5, -165.4]

let server: TestServer
let admin: string
let north: string
let south: string
let lines: { lineId: number; terminalIds: number[] }[]

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1], tenantId = 'a') =>
  server.database.transaction({ tenantId }, work)

/** Six buckets per day for a terminal, with a value for each day before the present. */
const addDays = async (terminalId: number, obstructionAt: (daysAgo: number) => number, from = 34, to = 1) => {
  for (let ago = from; ago >= to; ago--)
    await inTenant((db) =>
      sql`
        insert into tier_2h (tenant_id, terminal_id, at, n, obstruction_sum, signal_quality_sum)
        select 'a', ${terminalId}, ${new Date(noon - DAY_MS / 2 - ago * DAY_MS)}::timestamptz + bucket * interval '4 hours', 480,
          480 * ${obstructionAt(ago)}::real, 480 * 0.97
        from generate_series(0, 5) as bucket`.execute(db),
    )
}

/** No two days are alike. */
const growing = (ago: number) => 0.004 + 0.0008 * Math.max(0, 22 - ago) + 0.0001 * ((ago * 7) % 5)

beforeAll(async () => {
  server = await startTestServer()
  const adminId = await server.addUser('a', { email: 'admin@a.example', role: 'admin' })
  const northId = await server.addUser('a', { email: 'north@a.example', username: 'north' })
  await server.addUser('a', { email: 'south@a.example', username: 'south' })
  admin = (await server.signIn('a', 'admin@a.example')).access
  north = (await server.signIn('a', 'north@a.example')).access
  south = (await server.signIn('a', 'south@a.example')).access
  const days = Array.from({ length: 45 }, (_, ago) => formatUtcDay(noon + (9 - ago) * DAY_MS))
  await ensureTierPartitions(server.database, 'tier_2h', days)
  lines = await inTenant(async (db) => {
    const place = { latitude: NOME[0], longitude: NOME[1], city: 'Nome', country: 'US' }
    const added = [
      await addLine(db, 'a', { service_line_number: 'SL-1', nickname: 'School', group_name: 'north', ...place }),
      await addLine(db, 'a', { service_line_number: 'SL-2', nickname: 'Clinic', group_name: 'south', ...place }),
    ]
    for (const { terminalIds } of added)
      await sql`insert into latest (tenant_id, terminal_id, at, h3_cell, country_code, restarts)
        values ('a', ${terminalIds[0]}, now(), ${latLngToCell(...NOME, 5)}, 'US', 3)`.execute(db)
    return added
  })
  const preferences = { by_email: true, warnings: true, time_zone: 'UTC' }
  const selected = { selected_line_ids: lines.map(({ lineId }) => lineId) }
  await setPreferences(server.database, 'a', adminId, { ...preferences, ...selected })
  await setPreferences(server.database, 'a', northId, { ...preferences, ...selected })
  await addDays(lines[0]?.terminalIds[0] as number, growing)
  await addDays(lines[1]?.terminalIds[0] as number, (ago) => 0.004 + 0.0001 * ((ago * 7) % 5))
  await sendUntil(server.database, 'a', new Date())
})
afterAll(() => server.close())

const list = async (token: string, query = '') =>
  (await server.call('a', 'GET', `/api/incidents/${query}`, { token })).body as {
    openCount: number
    warningCount: number
    incidents: Incident[]
  }

const listMail = (recipient: string) =>
  inTenant((db) => db.selectFrom('messages').select(['subject', 'text']).where('recipient', '=', recipient).execute())

test('slow growth is found from the tiers once, and only its own customer sees it', async () => {
  expect(await judgeDay(server.database, 'a', after(0))).toBe(false)
  const found = await list(admin)
  expect(found).toMatchObject({ openCount: 0, warningCount: 1 })
  expect(found.incidents).toMatchObject([
    { cause: 'growing obstruction', reach: 'terminal', terminals: 1, name: 'School', place: 'Nome', endedAt: null },
  ])
  await judgeDay(server.database, 'a', after(0))
  expect((await list(north)).incidents).toEqual(
    found.incidents.map((each) => ({ ...each, observed: null, center: null })),
  )
  expect(await list(south)).toMatchObject({ warningCount: 0, incidents: [] })
  expect((await list(admin, '?terminal=School')).incidents).toHaveLength(1)
  expect((await list(admin, '?terminal=Clinic')).incidents).toEqual([])
  const id = found.incidents[0]?.id
  const get = (token: string, tenant = 'a') => server.call(tenant, 'GET', `/api/incidents/${id}/`, { token })
  expect((await get(south)).status).toBe(404)
  expect((await get(north)).body).toMatchObject({ terminal: { nickname: 'School', name: 'School' }, losses: [] })
})

test('a warning is acknowledged like any incident, and cannot be merged', async () => {
  const id = (await list(admin)).incidents[0]?.id
  const post = (path: string, body: object) =>
    server.call('a', 'POST', `/api/incidents/${id}/${path}/`, { token: admin, body })
  expect((await post('acknowledge', { note: 'The gardener comes on Monday.' })).status).toBe(200)
  expect((await list(admin)).incidents[0]).toMatchObject({ note: 'The gardener comes on Monday.' })
  const other = await server.call('a', 'GET', '/api/incidents/?show=all', { token: admin })
  expect(other.body.incidents).toHaveLength(1)
  expect((await post('split', { terminals: ['SL-1-1'] })).body.message).toBe('An early warning is about one terminal.')
})

test('users who want warnings get one mail, about terminals that they may see', async () => {
  await sendUntil(server.database, 'a', new Date(Date.now() + 60_000))
  expect(await listMail('admin@a.example')).toEqual([])
  await sendUntil(server.database, 'a', new Date(Date.now() + 300_000))
  const [mail, ...rest] = await listMail('north@a.example')
  expect(rest).toEqual([])
  expect(mail?.subject).toBe('Warning: Sky is closing in: School')
  expect(mail?.text).toMatch(/Obstruction rose from \d\.\d% to 2\.\d% in \d weeks\. At this pace it will interrupt/)
  expect(await listMail('admin@a.example')).toHaveLength(1)
})

test('it ends when the tree is cut, and does not come back for two weeks', async () => {
  const terminalId = lines[0]?.terminalIds[0] as number
  await addDays(terminalId, () => 0.004, 0, -6)
  await judgeDay(server.database, 'a', after(7))
  expect(await list(admin)).toMatchObject({ warningCount: 0, incidents: [] })
  expect((await list(admin, '?show=all')).incidents).toMatchObject([{ cause: 'growing obstruction' }])
})

test('a dish that was carried away and starts again and again is warned of twice', async () => {
  const terminalId = lines[1]?.terminalIds[0] as number
  await inTenant((db) =>
    sql`update latest set h3_cell = ${latLngToCell(NOME[0] + 1, NOME[1], 5)}, restarts = restarts + 4
      where terminal_id = ${terminalId}`.execute(db),
  )
  await judgeDay(server.database, 'a', after(8))
  expect((await list(south)).incidents).toMatchObject([{ cause: 'away from address', name: 'Clinic' }])
  await inTenant((db) => sql`update latest set restarts = restarts + 4 where terminal_id = ${terminalId}`.execute(db))
  await judgeDay(server.database, 'a', after(9))
  const causes = (await list(south)).incidents.map(({ cause }) => cause)
  expect(causes.sort()).toEqual(['away from address', 'restarting'])
})

test('the warnings about a terminal that is gone are over', async () => {
  const terminalId = lines[1]?.terminalIds[0] as number
  const setRemoved = (at: Date | null) =>
    inTenant((db) => sql`update terminals set removed_at = ${at} where id = ${terminalId}`.execute(db))
  await setRemoved(new Date())
  await judgeDay(server.database, 'a', after(9))
  expect(await list(south)).toMatchObject({ warningCount: 0, incidents: [] })
  await setRemoved(null)
})

test('when more of the past becomes known, the figures are read again', async () => {
  const queue = createWarningQueue({ database: server.database, now: () => after(9) })
  const job = { queue: 'warnings' as const, tenantId: 'a', fence: 1, failures: 0 }
  const { signal } = new AbortController()
  const count = () => inTenant((db) => sql`select from terminal_figures`.execute(db).then(({ rows }) => rows.length))
  expect(await count()).toBe(2)
  expect(await queue.run({ ...job, subject: 'history' }, signal)).toBeUndefined()
  expect(await count()).toBe(0)
  const next = await queue.run({ ...job, subject: '' }, signal)
  expect(await count()).toBe(2)
  // In the morning after the next day has ended.
  expect(next?.toISOString().slice(0, 13)).toBe(`${new Date(noon + 10 * DAY_MS).toISOString().slice(0, 10)}T05`)
})
