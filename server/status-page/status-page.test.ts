import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

const MINUTE_MS = 60_000

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  admin = (await server.signIn('a', 'admin@mail.example')).access
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    const places = [
      ...Array(6).fill('Alaska'),
      ...Array(5).fill('Hawaii'),
      'Guam',
      ...Array(4).fill('Palau'),
      ...Array(6).fill('Yukon'),
    ]
    const terminals: number[] = []
    for (const [index, state] of places.entries()) {
      const { terminalIds } = await addLine(db, 'a', {
        service_line_number: `Customer ${index}`,
        // Everything in Yukon belongs to one customer.
        group_name: state === 'Yukon' || index % 2 === 0 ? 'north' : 'south',
        state,
      })
      terminals.push(terminalIds[0] as number)
      const isDown = state === 'Hawaii' && index < 9
      await sql`
        insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status)
        values ('a', ${terminalIds[0]}, now(), now(), ${isDown ? 'offline' : 'online'})`.execute(db)
    }
    const add = async (reach: string, place: string, end: string | null, lost = terminals.slice(0, 5)) => {
      const { rows } = await sql<{ id: string }>`
        insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, ended_at, terminal_count, place,
          note, evidence)
        values ('a', gen_random_uuid(), 'network', ${reach}, 0.95, ${server.clock.now}::timestamptz - interval '2 days', now(),
          ${server.clock.now}::timestamptz - ${end}::interval, ${lost.length}, ${place}, 'secret note', '{"observed":9,"alerts":[]}')
        returning id`.execute(db)
      for (const id of lost)
        await sql`
          insert into terminal_losses (tenant_id, terminal_id, lost_at, back_at, disabled, facts, incident_id)
          values ('a', ${id}, clock_timestamp(), now() + interval '1 day', false, '{}', ${rows[0]?.id})`.execute(db)
    }
    await add('area', 'Hilo', null)
    await add('area', 'Nome', '1 day')
    await add('area', 'Lonely Bay', '3 hours', terminals.slice(0, 4))
    await add('area', 'Old Crow', '2 hours', terminals.slice(16))
    await add('area', 'Long ago', '20 days')
    await add('terminal', 'Tok', null)
  })
})
afterAll(() => server.close())

const read = (tenant = 'a') => server.call(tenant, 'GET', '/status')
const set = (publicStatus: boolean) =>
  server.call('a', 'PATCH', '/api/tenant-settings/', { token: admin, body: { publicStatus } })

test('there is no page unless the tenant wants one, and switching takes effect at once', async () => {
  expect((await read()).status).toBe(404)
  expect((await set(true)).status).toBe(200)
  expect((await read()).status).toBe(200)
  expect((await set(false)).status).toBe(200)
  expect((await read()).status).toBe(404)
  expect((await set(true)).status).toBe(200)
  expect((await read()).status).toBe(200)
  expect((await read('b')).status).toBe(404)
})

test('it says which areas work and what happened, and names no customer', async () => {
  const { body, headers } = await read()
  expect(headers['cache-control']).toBe('public, max-age=60')
  expect(body).toMatch(/Alaska<\/dt><dd class="works">● Works/)
  expect(body).toMatch(/Hawaii<\/dt><dd class="down">■ Down/)
  expect(body).toContain('Network outage around Hilo')
  expect(body).toContain('Network outage around Nome')
  // Of an incident of a few terminals, or of one customer, it does not say where they are.
  expect(body.match(/<b>Network outage<\/b>/g)).toHaveLength(2)
  // Neither of an area: its terminals count together with those of others.
  expect(body).toMatch(/Hawaii<\/dt>.*Elsewhere<\/dt><dd class="works">● Works/)
  for (const hidden of [
    'Guam',
    'Palau',
    'Lonely Bay',
    'Yukon',
    'Old Crow',
    'Customer',
    'Tok',
    'Long ago',
    'secret',
    'mail.example',
    '<script',
  ])
    expect(body).not.toContain(hidden)
})

test('it is read once a minute, however often it is requested', async () => {
  const before = (await read()).body
  await server.database.transaction({ tenantId: 'a' }, (db) => sql`update incidents set place = 'Kona'`.execute(db))
  expect((await read()).body).toBe(before)
  // On a tenant's host, the rest of the address does not matter.
  expect((await server.call('a', 'GET', '/status?tenant=anything')).body).toBe(before)
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  expect((await read()).body).toContain('Network outage around Kona')
  expect((await read()).body).toContain('<h1>There is an incident.</h1>')
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql`update incidents set ended_at = null where ended_at > ${server.clock.now}::timestamptz - interval '3 days'`.execute(
      db,
    ),
  )
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  expect((await read()).body).toContain('<h1>There are 4 incidents.</h1>')
})

test('without an incident it does not say that all is well while terminals are down', async () => {
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql`update incidents set ended_at = started_at`.execute(db),
  )
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  expect((await read()).body).toContain('<h1>Some terminals are down.</h1>')
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql`update status_intervals set status = 'online'`.execute(db),
  )
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  expect((await read()).body).toContain('<h1>No incident is known.</h1>')
})

test('while data does not reach it, the page says that nothing is known instead of that all works', async () => {
  const { rows } = await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql<{ id: number }>`select id from vendor_credentials where tenant_id = 'a'`.execute(db),
  )
  const setGap = (statement: ReturnType<typeof sql>) =>
    server.database.transaction({ tenantId: 'a' }, (db) => statement.execute(db))
  await setGap(sql`
    insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, terminal_count, evidence)
    values ('a', gen_random_uuid(), 'not observed', 'several', 1, now(), now(), 12,
      ${JSON.stringify({ observed: 12, alerts: [], credentialId: rows[0]?.id })}::jsonb)`)
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  const late = (await read()).body
  expect(late).toContain('<h1>Not all terminals are observed.</h1>')
  expect(late).toContain('nobody can say whether they work')
  expect(late).toMatch(/Alaska<\/dt><dd class="not-observed">○ Not observed/)
  expect(late).not.toContain('● Works')
  // Another account has a few terminals of Alaska and most of Hawaii.
  await setGap(sql`
    with other as (
      insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
      values ('a', 'http://127.0.0.1:9/', 'http://127.0.0.1:9/', 'other', '') returning id)
    update terminals set credential_id = other.id from other
    where terminals.tenant_id = 'a' and substring(device_id from '\\d+')::integer in (0, 1, 6, 7, 8)`)
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  const partly = (await read()).body
  expect(partly).toMatch(/Alaska<\/dt><dd class="not-observed">/)
  expect(partly).toMatch(/Hawaii<\/dt><dd class="works">/)
  await setGap(sql`update incidents set ended_at = now() where cause = 'not observed'`)
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  const again = (await read()).body
  expect(again).toContain('<h1>No incident is known.</h1>')
  expect(again).not.toContain('nobody can say')
})

test('a tenant with one customer names its areas', async () => {
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql`update service_lines set group_name = 'north'`.execute(db),
  )
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  expect((await read()).body).toMatch(/Alaska<\/dt>.*Hawaii<\/dt>.*Yukon<\/dt>.*Elsewhere<\/dt>/)
})

test('terminals whose areas cannot be named are described together', async () => {
  await server.database.transaction({ tenantId: 'a' }, async (db) => {
    await sql`update service_lines set state = 'Place ' || id, group_name = id::text`.execute(db)
  })
  server.clock.now = new Date(server.clock.now.getTime() + MINUTE_MS)
  expect((await read()).body).toMatch(/<dl><div><dt>All areas<\/dt><dd class="works">● Works<\/dd><\/div><\/dl>/)
})
