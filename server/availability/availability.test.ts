import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeTenant } from '../incidents/queue.ts'
import { addTurns } from '../notifications/testing/fleet.ts'
import { recordCoverage } from '../telemetry/coverage.ts'
import { addCredential, addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const HOUR_MS = 3_600_000
const ANCHORAGE = 'America/Anchorage'
/** Midnight of the day on which daylight saving time begins: it has 23 hours. */
const START = Date.parse('2026-03-08T00:00:00-09:00')
const at = (hours: number) => new Date(START + hours * HOUR_MS)

let server: TestServer
let admin: string
let north: string
let bethel: number
let nome: number

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId: 'a' }, work)

const turn = (terminalId: number, status: 'online' | 'offline' | 'no data', hours: number) =>
  addTurns(server.database, 'a', [{ terminalId, status, at: at(hours), notedAt: at(hours + 0.05) }])

beforeAll(async () => {
  server = await startTestServer()
  server.clock.now = at(-24)
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  await server.addUser('a', { email: 'north@mail.example', username: 'north' })
  admin = (await server.signIn('a', 'admin@mail.example')).access
  await inTenant(async (db) => {
    await sql`update tenant_settings set time_zone = ${ANCHORAGE}`.execute(db)
    const place = { latitude: 60.79, longitude: -161.75 }
    bethel = (await addLine(db, 'a', { service_line_number: 'Bethel', group_name: 'north', ...place }))
      .terminalIds[0] as number
    nome = (await addLine(db, 'a', { service_line_number: 'Nome', group_name: 'south' })).terminalIds[0] as number
    await sql`insert into latest (tenant_id, terminal_id, at) select 'a', id, ${at(0)} from terminals`.execute(db)
    const credentialId = await addCredential(db, 'a')
    const observe = (from: number, to: number) => ({ fromMs: at(from).getTime(), toMs: at(to).getTime() })
    // An hour without observations.
    await recordCoverage(db, { tenantId: 'a', credentialId }, [observe(-120, 10), observe(11, 48)])
  })
  for (const id of [bethel, nome]) await turn(id, 'online', -30)
  const body = {
    name: 'New mast',
    target: { kind: 'terminal', terminal: 'Bethel' },
    schedule: { repeats: 'once', firstDay: '2026-03-08', startMinute: '04:00', lengthMinutes: 120 },
  }
  await server.call('a', 'POST', '/api/maintenance-windows/', { token: admin, body })
  // From the hour before the maintenance (which begins at 3, because an hour is skipped) to an hour after it.
  await turn(bethel, 'offline', 2)
  await turn(bethel, 'no data', 4)
  await turn(bethel, 'online', 6)
  await turn(bethel, 'offline', 9.5)
  await turn(bethel, 'online', 12)
  server.clock.now = at(40)
  admin = (await server.signIn('a', 'admin@mail.example')).access
  north = (await server.signIn('a', 'north@mail.example')).access
  while ((await judgeTenant(server.database, 'a', at(40))).upTo < at(40));
})
afterAll(() => server.close())

const get = async (token: string, path: string) =>
  (await server.call('a', 'GET', `/api/availability/${path}`, { token })).body

const hours = (count: number) => count * 3600

test('a day has the hours that it has in the zone of the tenant, and each is of one kind', async () => {
  const { total, terminals, groups, ...shown } = await get(admin, '?period=day&day=2026-03-08')
  expect(shown).toMatchObject({
    firstDay: '2026-03-08',
    lastDay: '2026-03-08',
    timeZone: ANCHORAGE,
    terminalCount: 2,
    from: at(0).toISOString(),
    until: at(23).toISOString(),
    heldSince: at(-120).toISOString(),
  })
  expect(terminals).toMatchObject([
    {
      name: 'Bethel',
      upS: hours(23 - 2 - 1 - 3.5),
      downS: hours(3.5),
      plannedS: hours(2),
      notObservedS: hours(1),
      outages: 2,
      longestS: hours(2),
      meanRepairS: hours(1.75),
      meanBetweenS: hours(8.25),
    },
    { name: 'Nome', upS: hours(22), downS: 0, notObservedS: hours(1), percent: 100, outages: 0, meanRepairS: null },
  ])
  expect(groups).toMatchObject([
    { group: 'north', terminals: 1 },
    { group: 'south', percent: 100 },
  ])
  expect(total).toMatchObject({ upS: hours(38.5), downS: hours(3.5), plannedS: hours(2), notObservedS: hours(2) })
  expect(total.percent).toBeCloseTo((100 * 38.5) / 42, 9)
})

test('users read about their own terminals', async () => {
  const { terminals, groups } = await get(north, '?period=day&day=2026-03-08')
  expect(terminals).toMatchObject([{ name: 'Bethel' }])
  expect(groups).toMatchObject([{ group: 'north' }])
  expect((await server.call('a', 'GET', '/api/availability/terminals/Nome/?period=day', { token: north })).status).toBe(
    403,
  )
})

test('a figure opens the times that it is made of, with the incident or the window', async () => {
  const list = (kind: string) => get(north, `terminals/Bethel/?period=day&day=2026-03-08&kind=${kind}`)
  const { spans, isCut } = await list('down')
  expect(isCut).toBe(false)
  expect(spans.map((span: { from: string; until: string }) => [span.from, span.until])).toEqual([
    [at(11).toISOString(), at(12).toISOString()],
    [at(9.5).toISOString(), at(10).toISOString()],
    [at(5).toISOString(), at(6).toISOString()],
    [at(2).toISOString(), at(3).toISOString()],
  ])
  for (const { incident } of spans)
    expect((await server.call('a', 'GET', `/api/incidents/${incident.id}/`, { token: north })).status).toBe(200)
  expect((await list('planned')).spans).toMatchObject([
    { from: at(3).toISOString(), until: at(5).toISOString(), window: 'New mast', incident: null },
  ])
  expect((await list('not observed')).spans).toMatchObject([
    { from: at(10).toISOString(), until: at(11).toISOString(), window: null },
  ])
})

test('a figure of a group, or of all terminals, opens the times of each terminal', async () => {
  const list = (token: string, rest: string) => get(token, `spans/?period=day&day=2026-03-08&${rest}`)
  type Listed = { name: string; from: string; until: string }
  const sumS = ({ spans }: { spans: Listed[] }) =>
    spans.reduce((sum, { from, until }) => sum + (Date.parse(until) - Date.parse(from)) / 1000, 0)
  const { total } = await get(admin, '?period=day&day=2026-03-08')
  for (const [kind, seconds] of [
    ['up', total.upS],
    ['down', total.downS],
    ['planned', total.plannedS],
    ['not observed', total.notObservedS],
  ])
    expect(sumS(await list(admin, `kind=${kind}`))).toBe(seconds)
  const unknown = await list(admin, 'kind=not observed')
  expect(unknown.spans.map(({ name }: Listed) => name).sort()).toEqual(['Bethel', 'Nome'])
  const down = await list(admin, 'kind=down')
  expect(down).toMatchObject({ isCut: false, timeZone: ANCHORAGE })
  expect(down.spans[0]).toMatchObject({ name: 'Bethel', nickname: 'Bethel', from: at(11).toISOString() })
  // The last outage was not observed for an hour. The one before it is another incident.
  const [last, same, other] = down.spans.map(({ incident }: { incident: { id: string } | null }) => incident?.id)
  expect([last, same === last, other === last]).toEqual([expect.any(String), true, false])
  expect((await list(admin, 'kind=planned')).spans).toMatchObject([{ name: 'Bethel', window: 'New mast' }])
  expect((await list(admin, 'kind=down&order=longest')).spans.at(-1)).toMatchObject({ from: at(9.5).toISOString() })
  // Only those of the group, and of the own group.
  expect((await list(admin, 'kind=up&group=south')).spans).toMatchObject([{ name: 'Nome' }, { name: 'Nome' }])
  const own = await list(north, 'kind=up')
  expect(new Set(own.spans.map(({ name }: Listed) => name))).toEqual(new Set(['Bethel']))
  expect((await list(north, 'kind=up&group=south')).spans).toEqual([])
})

test('a target that a group was promised is compared, also for its terminals', async () => {
  const set = (token: string, percent: number | null, group = 'north') =>
    server.call('a', 'PUT', '/api/availability/target/', { token, body: { group, percent } })
  expect((await set(north, 90)).status).toBe(403)
  expect((await set(admin, 90, 'nobody')).status).toBe(404)
  expect((await set(admin, 90)).status).toBe(200)
  const read = async () => {
    const { groups, terminals } = await get(admin, '?period=day&day=2026-03-08')
    return [...groups, ...terminals].map(({ target, isBreached }) => [target, isBreached])
  }
  const none = [null, false]
  expect(await read()).toEqual([[90, true], none, [90, true], none])
  await set(admin, 80)
  expect(await read()).toEqual([[80, false], none, [80, false], none])
  await set(admin, null)
  expect(await read()).toEqual([none, none, none, none])
})

test('the present period ends now, and a day without data is not observed', async () => {
  const week = await get(admin, '?period=week&day=2026-03-10&group=south')
  expect(week).toMatchObject({ firstDay: '2026-03-09', lastDay: '2026-03-15', until: at(40).toISOString() })
  expect(week.total).toMatchObject({ upS: hours(17), downS: 0 })
  const before = await get(admin, '?period=custom&day=2026-02-01&lastDay=2026-02-02')
  expect(before.total).toMatchObject({ upS: 0, downS: 0, notObservedS: 2 * hours(48), percent: null })
  const refused = await server.call('a', 'GET', '/api/availability/?period=day&day=2026-03-20', { token: admin })
  expect(refused).toMatchObject({ status: 400, body: { message: 'This period has not begun.' } })
})

test('the file has a row for each terminal', async () => {
  const { body, headers } = await server.call('a', 'GET', '/api/availability/csv/?period=day&day=2026-03-08', {
    token: admin,
  })
  expect(headers['content-disposition']).toContain('availability-2026-03-08-2026-03-08.csv')
  const [head, first, second] = String(body).trim().split('\r\n')
  expect(head).toMatch(/^Terminal,Kit,Group,Availability \(%\),/)
  expect(first).toBe('Bethel,KIT-Bethel-1,north,82.5,,,59400,12600,7200,3600,2,7200,6300,29700')
  expect(second).toBe('Nome,KIT-Nome-1,south,100,,,79200,0,0,3600,0,0,,')
})

test('the month of the dashboard is that of the summary, for those who may see the same, and measured again after a while', async () => {
  const [whole, own] = [await get(admin, '?period=month'), await get(north, '?period=month')]
  expect(whole.total.percent).not.toBe(own.total.percent)
  expect(await get(admin, 'month/')).toMatchObject({
    percent: whole.total.percent,
    observedPercent: whole.observedPercent,
  })
  expect((await get(north, 'month/')).percent).toBe(own.total.percent)
  const measuredAt = server.clock.now
  server.clock.now = new Date(measuredAt.getTime() + 9 * 60_000)
  expect((await get(admin, 'month/')).measuredAt).toBe(measuredAt.toISOString())
  server.clock.now = new Date(measuredAt.getTime() + 10 * 60_000)
  expect((await get(admin, 'month/')).measuredAt).toBe(server.clock.now.toISOString())
  // The clock was ahead, and is corrected.
  server.clock.now = new Date(measuredAt.getTime() - 60_000)
  expect((await get(admin, 'month/')).measuredAt).toBe(server.clock.now.toISOString())
})

test('the month of the dashboard is not known while most of it was not observed, and says how much was', async () => {
  const now = server.clock.now
  server.clock.now = at(24 * 20)
  const { access } = await server.signIn('a', 'admin@mail.example')
  const { total, observedPercent } = await get(access, '?period=month')
  expect(total.percent).toBeGreaterThan(0)
  // 167 hours since midnight of March 1.
  expect(observedPercent).toBeCloseTo((100 * 167) / (168 + 480), 9)
  expect(await get(access, 'month/')).toMatchObject({ percent: null, observedPercent })
  server.clock.now = now
})

test('the time in which a terminal was removed is not observed once it has returned', async () => {
  await inTenant(async (db) => {
    const { terminalIds } = await addLine(db, 'a', { service_line_number: 'Kenai', group_name: 'west' })
    const [id] = terminalIds as [number]
    const status = (from: number, to: number | null, value: string) => ({
      tenant_id: 'a',
      terminal_id: id,
      started_at: at(from),
      ended_at: to === null ? null : at(to),
      noted_at: at(from),
      status: value,
      disabled: false,
    })
    await db
      .insertInto('status_intervals')
      .values([status(-30, -12, 'online'), status(-12, -2, 'offline'), status(-2, null, 'online')])
      .execute()
    const version = (from: number, removedAt: number | null) => ({
      tenant_id: 'a',
      kind: 'terminal',
      subject_id: id,
      known_at: at(from),
      facts: JSON.stringify({ removed_at: removedAt === null ? null : at(removedAt).toISOString() }),
    })
    await db
      .insertInto('fact_versions')
      .values([version(-40, null), version(-10, -10), version(-4, null)])
      .execute()
  })
  const { terminals } = await get(admin, '?period=day&day=2026-03-07&group=west')
  expect(terminals).toMatchObject([
    { upS: hours(14), downS: hours(4), notObservedS: hours(6), outages: 1, longestS: hours(4) },
  ])
})
