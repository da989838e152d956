import pg from 'pg'
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

/** The events since the last time, as kind, account and actor. */
const takeEvents = async () => {
  const { rows } = await superuser.query("delete from security_events where tenant_id = 'a' returning *")
  return rows.sort((a, b) => a.id - b.id)
}
const takeSummaries = async () => (await takeEvents()).map(({ kind, account, actor }) => [kind, account, actor])

beforeAll(async () => {
  server = await startTestServer()
  superuser = new pg.Client(server.superuser)
  await superuser.connect()
  await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
  userId = await server.addUser('a', { email: 'bob@a.example' })
  await server.addUser('b', { email: 'bob@a.example' })
  adminToken = (await server.signIn('a', 'ada@a.example')).access
})
beforeEach(async () => {
  await takeEvents()
})
afterAll(async () => {
  await superuser.end()
  await server.close()
})

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
