import { Secret, TOTP } from 'otpauth'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listValidSubscribers } from '../fleet/live-queries.ts'
import { everyCall } from '../testing/access-walk.ts'
import { addApiToken } from '../testing/add-api-token.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
  await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
  admin = (await server.signIn('a', 'ada@a.example')).access
})
afterAll(() => server.close())

const change = (body: object, token = admin) => server.call('a', 'PATCH', '/api/tenant-settings/', { token, body })
const readProfile = (token: string) => server.call('a', 'GET', '/api/user-profile/', { token })
const refused = { status: 403, body: { error: 'add_factor' } }

let users = 0
const addUser = async (tenant = 'a') => {
  const email = `user${++users}@mail.example`
  const id = await server.addUser(tenant, { email })
  return { id, email, token: (await server.signIn(tenant, email)).access }
}

const addApp = async (token: string) => {
  const { secret } = (await server.call('a', 'POST', '/api/my-factors/totp/', { token, body: {} })).body
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: server.clock.now.getTime() })
  return server.call('a', 'POST', '/api/my-factors/totp/confirm/', { token, body: { code } })
}

test('users of whom a factor is required can call nothing but what adds one, and everything after that', async () => {
  const { id, token } = await addUser()
  const foreign = await addUser('b')
  const { token: apiToken } = await addApiToken(superuser, 'a', { userId: id })
  expect((await readProfile(token)).status).toBe(200)
  expect((await change({ secondFactorForUsers: true })).status).toBe(200)

  const allowed: string[] = []
  for (const [name, route] of everyCall) {
    if (route.access === 'public' || route.access === 'optional') continue
    const { status, body } = await server.call('a', route.method, `/api${route.path.replaceAll(/:\w+/g, '1')}`, {
      token,
    })
    if (status !== 403 || body.error !== 'add_factor') allowed.push(name)
    if (name === 'identity.logout')
      await superuser.query('update sessions set ended_at = null where user_id = $1', [id])
  }
  expect(allowed).toEqual([
    'identity.verifyToken',
    'identity.startConfirmation',
    'identity.confirmPasskey',
    'identity.confirmCode',
    'identity.confirmPassword',
    'identity.logout',
    'access.myEffective',
    'profile.resetPassword',
    'factors.list',
    'factors.startTotp',
    'factors.confirmTotp',
    'factors.removeTotp',
    'factors.startPasskey',
    'factors.addPasskey',
    'factors.removePasskey',
    'factors.createRecoveryCodes',
  ])
  expect(await server.call('a', 'GET', '/api/terminals/', { token: apiToken })).toMatchObject(refused)
  expect((await server.call('a', 'GET', '/api/verify-token/', { token })).body.mustAddFactor).toBe(true)
  expect((await server.call('b', 'GET', '/api/user-profile/', { token: foreign.token })).status).toBe(200)
  expect((await readProfile(admin)).status).toBe(200)

  const listStreams = async () => {
    const { rows } = await superuser.query('select id from sessions where user_id = $1 and ended_at is null', [id])
    const view = { group: 'north', details: false, metadata: false }
    const subscribers = rows.map((session) => ({ senderId: session.id, view }))
    const valid = await server.database.transaction({ tenantId: 'a' }, (db) =>
      listValidSubscribers(db, 'a', subscribers),
    )
    return valid.size
  }
  expect(await listStreams()).toBe(0)
  expect((await addApp(token)).status).toBe(200)
  expect((await readProfile(token)).status).toBe(200)
  expect((await server.call('a', 'GET', '/api/terminals/', { token: apiToken })).status).toBe(200)
  expect(await listStreams()).toBe(1)
  await server.call('a', 'DELETE', '/api/my-factors/totp/', { token })
  expect(await readProfile(token)).toMatchObject(refused)
})

test('a mailed code is no second factor, and a sign-in says that one has to be added', async () => {
  const { email, token } = await addUser()
  await superuser.query('update users set check_otp = true where email = $1', [email])
  expect(await readProfile(token)).toMatchObject(refused)
  await superuser.query('update users set check_otp = false where email = $1', [email])
  const again = await server.signIn('a', email)
  expect((await server.call('a', 'GET', '/api/verify-token/', { token: again.access })).body).toMatchObject({
    newUser: false,
    mustAddFactor: true,
  })
})

test('an administrator who requires one of administrators adds one next', async () => {
  expect((await change({ secondFactorForAdmins: true })).status).toBe(200)
  expect(await change({ secondFactorForUsers: false })).toMatchObject(refused)
  expect((await addApp(admin)).status).toBe(200)
  expect((await change({})).status).toBe(200)
})

test('no longer requiring one needs the password again, and all administrators get a mail', async () => {
  await superuser.query("update sessions set confirmed_at = 'epoch'")
  expect(await change({ secondFactorForUsers: false })).toMatchObject({
    status: 403,
    body: { error: 'reauthenticate' },
  })
  await server.call('a', 'POST', '/api/confirm-password/', { token: admin, body: { password: PASSWORD } })
  expect((await change({ secondFactorForUsers: false })).status).toBe(200)
  const { rows } = await superuser.query("select subject from messages where recipient = 'ada@a.example'")
  expect(rows.map(({ subject }) => subject)).toContain('A second factor is no longer required of users')
  const { token } = await addUser()
  expect((await readProfile(token)).status).toBe(200)
})
