import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeTenant } from '../incidents/queue.ts'
import { addTurns, sendUntil, setPreferences } from '../notifications/testing/fleet.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { purgeMaintenanceWindows } from './window-rows.ts'

const MINUTE_MS = 60_000
/** The current time of the test: 02:00 on a Sunday in Anchorage. */
const NOW = Date.parse('2026-11-22T02:00:00-09:00')
const at = (minutes: number) => new Date(NOW + minutes * MINUTE_MS)

let server: TestServer
let admin: string
let north: string
let south: string
const terminals: Record<string, number> = {}

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId: 'a' }, work)

beforeAll(async () => {
  server = await startTestServer()
  const userId = await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  await server.addUser('a', { email: 'north@mail.example', username: 'north' })
  await server.addUser('a', { email: 'south@mail.example', username: 'south' })
  await setClock(0)
  const lineIds: number[] = []
  await inTenant(async (db) => {
    await sql`update tenant_settings set time_zone = 'America/Anchorage'`.execute(db)
    const places = {
      Bethel: [60.79, -161.75],
      Kwethluk: [60.81, -161.44],
      Nome: [64.5, -165.4],
      Vessel: [60.79, -161.75],
    }
    for (const [nickname, [latitude, longitude]] of Object.entries(places)) {
      const { lineId, terminalIds } = await addLine(db, 'a', {
        service_line_number: `SL-${nickname}`,
        nickname,
        latitude: latitude as number,
        longitude: longitude as number,
        group_name: nickname === 'Nome' ? 'south' : 'north',
        is_mobile: nickname === 'Vessel',
      })
      lineIds.push(lineId)
      terminals[nickname] = terminalIds[0] as number
    }
    await sql`insert into latest (tenant_id, terminal_id, at) select 'a', id, ${at(0)} from terminals`.execute(db)
  })
  await setPreferences(server.database, 'a', userId, {
    by_email: true,
    status_changes: true,
    time_zone: 'UTC',
    selected_line_ids: lineIds,
  })
  await turn(Object.keys(terminals), 'online', -3_000)
  await sendUntil(server.database, 'a', at(0))
})
afterAll(() => server.close())

/** Sessions expire, so it signs in again. */
const setClock = async (minutes: number) => {
  server.clock.now = at(minutes)
  const signIn = async (name: string) => (await server.signIn('a', `${name}@mail.example`)).access
  ;[admin, north, south] = [await signIn('admin'), await signIn('north'), await signIn('south')]
}

const turn = (names: string[], status: 'online' | 'offline', minutes: number) =>
  addTurns(
    server.database,
    'a',
    names.map((name) => ({ terminalId: terminals[name] as number, status, at: at(minutes), notedAt: at(minutes + 3) })),
  )

const judge = async (minutes: number) => {
  while ((await judgeTenant(server.database, 'a', at(minutes))).upTo < at(minutes));
}

const listMails = () =>
  inTenant((db) =>
    db.selectFrom('messages').select('subject').where('notice', 'is not', null).orderBy('created_at').execute(),
  ).then((rows) => rows.map(({ subject }) => subject.replace(/ since.*/, '')))

const once = { repeats: 'once', firstDay: '2026-11-22', startMinute: '02:30', lengthMinutes: 120 }
const bethel = { name: 'New mast', target: { kind: 'terminal', terminal: 'Bethel' }, schedule: once }
const area = { kind: 'area', area: { latitude: 60.8, longitude: -161.6, radiusKm: 30 } }

const send = (method: 'POST' | 'PUT' | 'DELETE', token: string, body?: object, id = '') =>
  server.call('a', method, `/api/maintenance-windows/${id && `${id}/`}`, { token, ...(body && { body }) })

const list = async (token: string, query = '') =>
  (await server.call('a', 'GET', `/api/maintenance-windows/${query}`, { token })).body.windows as {
    id: string
    name: string
    state: string
    from: string
    until: string
    terminals: number
  }[]

const names = async (token: string, query = '') => (await list(token, query)).map(({ name }) => name)

test('administrators plan maintenance, and users read what concerns their terminals', async () => {
  expect((await send('POST', north, bethel)).status).toBe(403)
  const added = await send('POST', admin, bethel)
  expect(added.status).toBe(200)
  await send('POST', admin, { ...bethel, name: 'Village power', target: area })
  await send('POST', admin, { ...bethel, name: 'Router swap', target: { kind: 'group', group: 'south' } })
  expect(await names(admin)).toEqual(['New mast', 'Router swap', 'Village power'])
  expect(await names(north)).toEqual(['New mast', 'Village power'])
  expect(await names(south)).toEqual(['Router swap'])
  expect(await names(admin, '?terminal=Kwethluk')).toEqual(['Village power'])
  expect(await names(admin, '?terminal=Vessel')).toEqual([])
  expect((await list(north))[1]).toMatchObject({
    state: 'upcoming',
    terminals: 2,
    target: area,
    from: at(30).toISOString(),
    until: at(150).toISOString(),
  })
  const { body } = await server.call('a', 'GET', '/api/get-logs/', { token: admin })
  expect(body[0]).toMatchObject({ actionType: 'maintenance.plan', actionPerformee: 'Router swap' })
  for (const { id, name } of await list(admin)) if (name !== 'New mast') await send('DELETE', admin, undefined, id)
  expect(await list(admin)).toMatchObject([{ name: 'New mast' }])
})

test('what cannot be planned is refused with the reason', async () => {
  const refuse = async (changes: object) => (await send('POST', admin, { ...bethel, ...changes })).body.message
  expect(await refuse({ schedule: { ...once, firstDay: '2026-11-21' } })).toBe('This time has passed.')
  expect(await refuse({ schedule: { ...once, firstDay: '2026-02-30' } })).toContain('Please enter a day')
  expect(await refuse({ target: { kind: 'group', group: 'nobody' } })).toBe('No terminal belongs to this group.')
  expect(await refuse({ target: { kind: 'terminal', terminal: 'nothing' } })).toContain('not authorized')
})

test('a loss in a window notifies nobody and is planned', async () => {
  await setClock(40)
  expect(await list(north, '?state=running')).toMatchObject([{ name: 'New mast', until: at(150).toISOString() }])
  await turn(['Bethel'], 'offline', 40)
  await judge(60)
  await sendUntil(server.database, 'a', at(60))
  expect(await listMails()).toEqual([])
  const { body } = await server.call('a', 'GET', '/api/incidents/', { token: north })
  expect(body.incidents).toMatchObject([{ cause: 'planned', window: 'New mast', confidence: 1 }])
})

test('a loss that outlasts its window is notified when that ends, also when it was prolonged', async () => {
  await setClock(100)
  const [window] = await list(admin, '?state=running')
  const longer = { ...bethel, schedule: { ...once, lengthMinutes: 180 } }
  expect((await send('PUT', admin, longer, window?.id)).status).toBe(200)
  expect(await list(admin, '?state=running')).toMatchObject([{ name: 'New mast', until: at(210).toISOString() }])
  expect(await list(admin, '?state=past')).toMatchObject([{ name: 'New mast', until: at(100).toISOString() }])
  await judge(200)
  await sendUntil(server.database, 'a', at(205))
  expect(await listMails()).toEqual([])
  await judge(212)
  await sendUntil(server.database, 'a', at(215))
  expect(await listMails()).toEqual(['Bethel is offline'])
  const { body } = await server.call('a', 'GET', '/api/incidents/', { token: north })
  expect(body.incidents).toMatchObject([{ cause: 'power', window: 'New mast' }])
  await turn(['Bethel'], 'online', 230)
  await judge(240)
  await sendUntil(server.database, 'a', at(260))
  expect(await listMails()).toEqual(['Bethel is offline', 'Bethel is back online'])
})

test('what never ran leaves nothing behind, and old windows are deleted', async () => {
  await setClock(300)
  const { body } = await send('POST', admin, { ...bethel, schedule: { ...once, firstDay: '2026-11-30' } })
  expect(await list(admin, '?state=upcoming')).toMatchObject([{ id: body.id }])
  expect((await send('DELETE', admin, undefined, body.id)).status).toBe(200)
  expect((await send('DELETE', admin, undefined, body.id)).status).toBe(404)
  expect(await list(admin, '?state=upcoming')).toEqual([])
  expect(await list(admin, '?state=past')).toHaveLength(2)
  const DAY_MS = 1440 * MINUTE_MS
  const count = () =>
    inTenant((db) => db.selectFrom('maintenance_windows').select('id').execute()).then((rows) => rows.length)
  await inTenant((db) => purgeMaintenanceWindows(db, 'a', new Date(NOW + 400 * DAY_MS)))
  expect(await count()).toBe(2)
  await inTenant((db) => purgeMaintenanceWindows(db, 'a', new Date(NOW + 420 * DAY_MS)))
  expect(await count()).toBe(0)
})

test('two administrators who change a window at once change it once', async () => {
  await setClock(300)
  const later = { ...bethel, schedule: { ...once, firstDay: '2026-11-30' } }
  const countBlocked = () =>
    inTenant((db) =>
      sql<{ count: number }>`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db),
    ).then(({ rows }) => rows[0]?.count)
  // One that has not begun is replaced, one that is running is ended.
  for (const [planned, changed] of [
    [later, { ...later, name: 'Changed' }],
    [
      { ...bethel, schedule: { ...once, startMinute: '06:00' } },
      { ...bethel, name: 'Changed', schedule: { ...once, startMinute: '06:00', lengthMinutes: 180 } },
    ],
  ] as const) {
    const { id } = (await send('POST', admin, planned)).body
    const changes = await inTenant(async (db) => {
      await sql`select from maintenance_windows where id = ${id} for update`.execute(db)
      const sent = [send('PUT', admin, changed, id), send('PUT', admin, changed, id)]
      await expect.poll(countBlocked).toBe(2)
      return { sent: Promise.all(sent) }
    })
    const statuses = (await changes.sent).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 404])
    const found = (await list(admin)).filter(({ name, state }) => name === 'Changed' && state !== 'past')
    expect(found).toHaveLength(1)
    expect((await send('DELETE', admin, undefined, found[0]?.id)).status).toBe(200)
  }
})

test('a window that was ended by a process whose clock is a little ahead is over', async () => {
  await setClock(300)
  const running = { ...bethel, schedule: { ...once, startMinute: '06:00', lengthMinutes: 180 } }
  const { id } = (await send('POST', admin, running)).body
  server.clock.now = at(310)
  expect((await send('DELETE', admin, undefined, id)).status).toBe(200)
  server.clock.now = at(309)
  expect((await send('PUT', admin, { ...running, name: 'Changed' }, id)).status).toBe(404)
  expect((await send('DELETE', admin, undefined, id)).status).toBe(404)
  expect((await list(admin)).filter(({ name }) => name === 'Changed')).toEqual([])
})

test('a window whose occurrences overlap is shown once', async () => {
  await setClock(10 * 1440 + 30)
  const daily = {
    repeats: 'weekly',
    days: [1, 2, 3, 4, 5, 6, 7],
    firstDay: '2026-12-01',
    lastDay: null,
    startMinute: '02:00',
  }
  const overlapping = { ...bethel, name: 'Overlapping', schedule: { ...daily, lengthMinutes: 1500 } }
  const { id } = (await send('POST', admin, overlapping)).body
  // The clock shows 2:30 two days later: one occurrence began 24.5 hours ago, and one half an hour ago.
  await setClock(12 * 1440 + 30)
  const { body } = await server.call('a', 'GET', '/api/incidents/?terminal=Bethel', { token: admin })
  const until = at(12 * 1440 + 1500).toISOString()
  expect(body.maintenance).toEqual([{ id, name: 'Overlapping', until }])
  expect(await list(admin, '?state=running')).toMatchObject([{ name: 'Overlapping', until }])
})
