import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { processPasswordRequests } from '../identity/process-password-requests.ts'
import { openBody } from '../messages/sealed-body.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
let adminToken: string
let userId: number

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

const signIn = (email: string, password = PASSWORD, userAgent = FIREFOX) =>
  server.call('a', 'POST', '/api/user/login/', {
    body: { email, password },
    headers: { 'user-agent': userAgent, cookie: `dishboard_device=${(userAgent === CHROME ? 'c' : 'f').repeat(43)}` },
  })
const signInUser = async () => (await signIn('bob@a.example')).body.access as string

/** The events since the last call, as kind, account and actor. */
const takeEvents = async () => {
  const { rows } = await superuser.query("delete from security_events where tenant_id = 'a' returning *")
  return rows.sort((a, b) => a.id - b.id)
}
const takeSummaries = async () => (await takeEvents()).map(({ kind, account, actor }) => [kind, account, actor])

beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
  await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
  userId = await server.addUser('a', { email: 'bob@a.example' })
  await server.addUser('b', { email: 'bob@a.example' })
  adminToken = (await server.signIn('a', 'ada@a.example')).access
})
beforeEach(async () => {
  await takeEvents()
})
afterAll(() => server.close())

test('a sign-in is recorded with its device, and a new device besides', async () => {
  await signIn('bob@a.example')
  await signIn('Bob@A.example', PASSWORD, CHROME)
  await signIn('bob@a.example', PASSWORD, CHROME)
  expect((await takeEvents()).map(({ kind, user_id, device }) => [kind, user_id, device])).toEqual([
    ['sign_in', userId, 'Firefox on Windows'],
    ['sign_in', userId, 'Chrome on Linux'],
    ['new_device', userId, 'Chrome on Linux'],
    ['sign_in', userId, 'Chrome on Linux'],
  ])
})

test('a sign-in on a new device is one line of the log, unless sign-ins are chosen', async () => {
  await superuser.query('delete from known_devices where user_id = $1', [userId])
  await signIn('bob@a.example')
  await signIn('bob@a.example', PASSWORD, CHROME)
  const listKinds = async (query: string) => {
    const { body } = await server.call('a', 'GET', `/api/security-events/?person=bob@a.example${query}`, {
      token: adminToken,
    })
    return body.map(({ kind }: { kind: string }) => kind)
  }
  expect(await listKinds('')).toEqual(['new_device', 'sign_in'])
  expect(await listKinds('&kind=sign_in')).toEqual(['sign_in', 'sign_in'])
})

test('wrong sign-ins are counted in one row each, also for accounts that do not exist', async () => {
  for (let tries = 0; tries < 3; tries++) await signIn('bob@a.example', 'Wrong-pass-1')
  for (let tries = 0; tries < 2; tries++) await signIn('nobody@a.example', 'Wrong-pass-1')
  expect((await takeEvents()).map(({ kind, account, user_id, count }) => [kind, account, user_id, count])).toEqual([
    ['sign_in_failed', 'bob@a.example', userId, 3],
    ['sign_in_failed', 'nobody@a.example', null, 2],
  ])
})

test('refusals after too many tries are recorded as such', async () => {
  for (let tries = 0; tries < 13; tries++) await signIn('eve@a.example', 'Wrong-pass-1')
  const counts = Object.fromEntries((await takeEvents()).map(({ kind, count }) => [kind, count]))
  expect(counts).toMatchObject({ sign_in_locked: expect.any(Number), sign_in_failed: expect.any(Number) })
  expect(counts.sign_in_failed + counts.sign_in_locked).toBe(13)
})

test('codes, wrong codes and forgotten passwords are recorded, and none of the secrets', async () => {
  await superuser.query('update users set check_otp = true where id = $1', [userId])
  await signIn('bob@a.example')
  await server.call('a', 'POST', '/api/verify-otp/', { body: { email: 'bob@a.example', otp: '000000' } })
  await server.call('a', 'POST', '/api/forgot-password/', { body: { email: 'bob@a.example' } })
  await processPasswordRequests(server.services, 'a')
  await superuser.query('update users set check_otp = false where id = $1', [userId])
  const { rows: mails } = await superuser.query(
    "select id, text, html, sealed_body from messages where recipient = 'bob@a.example'",
  )
  const opened = mails.map((mail) => openBody(server.services.secrets, 'a', mail))
  const secrets = opened.map((mail) => /^\s*(\d{6}|[\w-]{10,})\s*$/m.exec(mail?.text ?? '')?.[1])
  const events = await takeEvents()
  expect(events.map(({ kind, account }) => [kind, account])).toEqual([
    ['code_sent', 'bob@a.example'],
    ['code_failed', 'bob@a.example'],
    ['password_requested', 'bob@a.example'],
    ['password_mailed', 'bob@a.example'],
  ])
  for (const secret of [...secrets, PASSWORD, '000000']) expect(JSON.stringify(events)).not.toContain(`"${secret}"`)
})

test('signing out and ending sessions are recorded with who did it', async () => {
  const token = await signInUser()
  await signInUser()
  await takeEvents()
  await server.call('a', 'DELETE', '/api/my-sessions/', { token })
  await server.call('a', 'POST', '/api/logout/', { token })
  await signInUser()
  await server.call('a', 'POST', `/api/end-user-sessions/${userId}/`, { token: adminToken })
  expect(await takeSummaries()).toEqual([
    ['session_ended', 'bob@a.example', 'bob@a.example'],
    ['signed_out', 'bob@a.example', 'bob@a.example'],
    ['sign_in', 'bob@a.example', 'bob@a.example'],
    ['session_ended', 'bob@a.example', 'ada@a.example'],
  ])
})

test('changes of passwords, users and rights are recorded with who did it and what changed', async () => {
  const token = await signInUser()
  await takeEvents()
  const passwords = { currentPassword: PASSWORD, newPassword: 'Another-pass-1' }
  await server.call('a', 'POST', '/api/reset-password/', { token, body: passwords })
  const form = { email: 'new@a.example', username: 'north', customerName: 'New', company: 'Company' }
  const create = { ...form, role: 'user', initialPassword: 'Initial-pass-1' }
  const { body } = await server.call('a', 'POST', '/api/create-user/', { token: adminToken, body: create })
  const path = `/api/update-user/${body.user_id}/`
  const update = { ...form, username: 'south', company: 'Other', role: 'admin', initialPassword: 'Initial-pass-2' }
  await server.call('a', 'PUT', path, { token: adminToken, body: update })
  const value = { user_id: body.user_id, item_code: 'plan_manager', value: 'true' }
  await server.call('a', 'PATCH', '/api/acp/value/', { token: adminToken, body: value })
  await server.call('a', 'DELETE', `/api/delete-user/${body.user_id}/`, { token: adminToken })
  const events = await takeEvents()
  const created = ['new@a.example', 'ada@a.example'] as const
  expect(events.map(({ kind, account, actor, details }) => [kind, account, actor, details])).toEqual([
    ['password_changed', 'bob@a.example', 'bob@a.example', {}],
    ['user_created', ...created, { role: 'user' }],
    ['rights_changed', ...created, { username: 'north → south', role: 'user → admin' }],
    ['user_changed', ...created, { fields: 'company' }],
    ['password_reset', ...created, {}],
    ['rights_changed', ...created, { plan_manager: 'false → true' }],
    ['user_deleted', ...created, {}],
  ])
})

test('a download of the editing log is recorded', async () => {
  await server.call('a', 'GET', '/api/get-logs/csv/', { token: adminToken })
  expect(await takeEvents()).toMatchObject([
    { kind: 'export', account: 'ada@a.example', details: { what: 'editing log' } },
  ])
})

test('administrators list, filter, page and download the events of their tenant only', async () => {
  await superuser.query(
    `insert into security_events (tenant_id, kind, at, last_at, account, actor, address, network, device)
     select tenant, case number % 2 when 0 then 'sign_in' else 'sign_in_failed' end, at, at,
       number || '@a.example', case number when 3 then 'Ada@a.example' else '' end, '', '', ''
     from unnest(array['a', 'b']) as tenant, generate_series(1, 8) as number,
       lateral (select timestamptz '2026-11-14T12:00:00Z' + number * interval '1 minute' as at) as moments`,
  )
  const list = async (query: string) =>
    (await server.call('a', 'GET', `/api/security-events/${query}`, { token: adminToken })).body
  const accounts = async (query: string) =>
    (await list(query)).map(({ account }: { account: string }) => Number.parseInt(account, 10))
  expect(await accounts('')).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
  expect(await accounts('?kind=sign_in')).toEqual([8, 6, 4, 2])
  expect(await accounts('?person=ada%40a.example')).toEqual([3])
  expect(await accounts('?person=5%40A.example')).toEqual([5])
  expect(await accounts('?from=2026-11-14T12:03:00Z&until=2026-11-14T12:06:00Z')).toEqual([5, 4, 3])
  const [, , third] = await list('?limit=3')
  expect(await accounts(`?limit=3&before=${third.id}`)).toEqual([5, 4, 3])
  // Sorted by the displayed times; a row that moves to the top in the meantime does not shift the next page.
  await superuser.query(
    "update security_events set last_at = last_at + interval '1 hour' where account = '6@a.example'",
  )
  expect(await accounts('?limit=3')).toEqual([6, 8, 7])
  expect(await accounts(`?limit=3&before=${third.id}&beforeTime=${third.lastAt}`)).toEqual([5, 4, 3])
  await superuser.query("update security_events set last_at = at where account = '6@a.example'")
  await superuser.query("update tenant_settings set time_zone = 'Pacific/Auckland' where tenant_id = 'a'")
  const file = await server.call('a', 'GET', '/api/security-events/csv/?kind=sign_in', { token: adminToken })
  expect(file.headers['content-disposition']).toBe('attachment; filename="security-events.csv"')
  const lines = file.body.split('\r\n')
  expect(lines[0]).toBe(
    'First (Pacific/Auckland),Last (Pacific/Auckland),Count,Event,Account,By,Address,Device,Details',
  )
  expect(lines[1]).toBe('2026-11-15T01:08:00.000+13:00,2026-11-15T01:08:00.000+13:00,1,Signed in,8@a.example,,,,{}')
  expect(lines).toHaveLength(6)
  expect((await list('?kind=export')).map(({ details }: { details: object }) => details)).toEqual([
    { what: 'security events' },
  ])
})

test('users see the events of their own account', async () => {
  await server.addUser('a', { email: 'cyd@a.example' })
  const { access } = await server.signIn('a', 'cyd@a.example')
  await signIn('cyd@a.example', 'Wrong-pass-1')
  await signIn('nobody@a.example', 'Wrong-pass-1')
  const { body } = await server.call('a', 'GET', '/api/my-activity/', { token: access })
  expect(body.events.map(({ kind, account }: { kind: string; account: string }) => [kind, account])).toEqual([
    ['sign_in_failed', 'cyd@a.example'],
    ['sign_in', 'cyd@a.example'],
    ['user_created', 'cyd@a.example'],
  ])
  expect((await server.call('a', 'GET', '/api/security-events/', { token: access })).status).toBe(403)
})
