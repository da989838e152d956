import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'
import { createSoftwareAuthenticator, type SoftwarePasskey } from '../testing/software-authenticator.ts'

let server: TestServer
let superuser: pg.Client
const authenticator = createSoftwareAuthenticator()
beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
})
afterAll(() => server.close())

const ORIGIN = 'https://a.example'
let users = 0

const post = async (tenant: string, path: string, body: object, more: { token?: string; cookie?: string } = {}) => {
  const { token, cookie } = more
  const response = await server.call(tenant, 'POST', `/api${path}`, {
    body,
    ...(token && { token }),
    ...(cookie && { headers: { cookie } }),
  })
  const cookies = [response.headers['set-cookie'] ?? []].flat().map((each) => each.split(';')[0] as string)
  return { ...response, cookie: cookies.at(-1) ?? '' }
}

const addUser = async (tenant = 'a') => {
  const email = `key${++users}@mail.example`
  const id = await server.addUser(tenant, { email })
  const { access: token } = await server.signIn(tenant, email)
  return { id, email, token }
}

const requestNew = async (token: string, tenant = 'a') =>
  (await post(tenant, '/my-factors/passkeys/options/', {}, { token })).body.options

/** A user with a passkey. */
const addUserWithPasskey = async (tenant = 'a', name = 'Laptop') => {
  const user = await addUser(tenant)
  const origin = `https://${tenant}.example`
  const { passkey, response } = authenticator.create(await requestNew(user.token, tenant), { origin })
  const added = await post(tenant, '/my-factors/passkeys/', { name, passkey: response }, { token: user.token })
  expect(added).toMatchObject({ status: 200, body: { recoveryCodes: expect.any(Array) } })
  return { ...user, passkey }
}

type Options = Parameters<typeof authenticator.sign>[2]

/** Signs in with a passkey alone. */
const signIn = async (passkey: SoftwarePasskey, conditions: Partial<Options> = {}, tenant = 'a') => {
  const started = await post(tenant, '/passkey-sign-in/options/', { use: 'only factor' })
  expect(started.body.options.allowCredentials).toEqual([])
  const proof = authenticator.sign(passkey, started.body.options, {
    origin: `https://${tenant}.example`,
    ...conditions,
  })
  const body = { use: 'only factor', proof }
  const send = (more: object = {}) =>
    post(tenant, '/passkey-sign-in/', { ...body, ...more }, { cookie: started.cookie })
  return { proof, cookie: started.cookie, send }
}

const login = (email: string, tenant = 'a') => post(tenant, '/user/login/', { email, password: PASSWORD })

/** A sign-in with the password, up to the passkey's challenge. */
const startSecond = async (email: string) => {
  const { cookie, body } = await login(email)
  const { options } = (await post('a', '/passkey-sign-in/options/', { use: 'second factor' }, { cookie })).body
  return { cookie, body, options }
}

const sendSecond = (cookie: string, proof: object) =>
  post('a', '/passkey-sign-in/', { use: 'second factor', proof }, { cookie })

const listKinds = async (email: string) =>
  (await superuser.query('select kind from security_events where account = $1 order by id', [email])).rows.map(
    ({ kind }) => kind,
  )

test('a passkey signs in without a password, and is listed with its last use', async () => {
  const { email, passkey } = await addUserWithPasskey()
  const { status, body } = await (await signIn(passkey)).send()
  expect(status).toBe(200)
  const own = (await server.call('a', 'GET', '/api/my-factors/', { token: body.access })).body
  expect(own.passkeys).toMatchObject([{ name: 'Laptop', lastUsedAt: expect.any(String) }])
  expect((await server.call('a', 'GET', '/api/verify-token/', { token: body.access })).body.email).toBe(email)
  const { rows } = await superuser.query(
    "select details from security_events where account = $1 and kind = 'sign_in' order by id desc limit 1",
    [email],
  )
  expect(rows[0].details).toEqual({ factor: 'passkey', passkey: 'Laptop' })
})

test('a passkey is required after the password, and only that of the user is accepted', async () => {
  const { email, passkey } = await addUserWithPasskey()
  const other = await addUserWithPasskey()
  const first = await startSecond(email)
  expect(first.body).toMatchObject({ requires2FA: true, factors: ['passkey', 'recovery'] })
  expect(first.options.allowCredentials).toMatchObject([{ id: passkey.id }])
  const foreign = authenticator.sign(other.passkey, first.options, { origin: ORIGIN })
  expect((await sendSecond(first.cookie, foreign)).status).toBe(401)
  const second = await startSecond(email)
  const proof = authenticator.sign(passkey, second.options, { origin: ORIGIN })
  expect((await sendSecond('', proof)).status).toBe(401)
  expect((await sendSecond(second.cookie, proof)).status).toBe(200)
  expect((await sendSecond(second.cookie, proof)).status).toBe(401)
})

// Without an increasing counter, only the challenge prevents a second use.
const UNCOUNTED = { counter: 0 }

test('a challenge is valid once, in the browser that requested it, and briefly', async () => {
  const { passkey } = await addUserWithPasskey()
  const used = await signIn(passkey, UNCOUNTED)
  expect((await used.send()).status).toBe(200)
  expect((await used.send()).status).toBe(401)
  const elsewhere = await signIn(passkey, UNCOUNTED)
  const another = await signIn(passkey, UNCOUNTED)
  const stolen = { use: 'only factor', proof: elsewhere.proof }
  expect((await post('a', '/passkey-sign-in/', stolen, { cookie: another.cookie })).status).toBe(401)
  expect((await post('a', '/passkey-sign-in/', stolen)).status).toBe(401)
  const late = await signIn(passkey, UNCOUNTED)
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + 5 * 60_000)
  expect((await late.send()).status).toBe(401)
  server.clock.now = before
  const one = await signIn(passkey, UNCOUNTED)
  const both = await Promise.all([one.send(), one.send()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('a proof for another origin, without verification of the user or with another signature is refused', async () => {
  const { email, passkey } = await addUserWithPasskey()
  for (const conditions of [
    { origin: 'https://evil.example' },
    { origin: 'https://a.example.evil.example' },
    { origin: 'http://a.example' },
    { origin: 'https://a.example:8443' },
    { isVerified: false },
  ])
    expect((await (await signIn(passkey, conditions)).send()).status, JSON.stringify(conditions)).toBe(401)
  const { signature } = (await signIn(passkey)).proof
  const { proof, send } = await signIn(passkey)
  expect((await send({ proof: { ...proof, signature } })).status).toBe(401)
  const unnamed = await signIn(passkey)
  const { userHandle: _, ...anonymous } = unnamed.proof
  expect((await unnamed.send({ proof: anonymous })).status).toBe(401)
  expect(await listKinds(email)).toContain('passkey_failed')
  expect((await (await signIn(passkey)).send()).status).toBe(200)
})

test('a passkey of another tenant is refused, also where both are on one host', async () => {
  const { passkey } = await addUserWithPasskey('b')
  expect((await (await signIn(passkey, { origin: ORIGIN })).send()).status).toBe(401)
  const { rows } = await superuser.query('select public_key, credential_id from passkeys where tenant_id = $1', ['b'])
  expect(rows.length).toBeGreaterThan(0)
  expect((await (await signIn(passkey, {}, 'b')).send()).status).toBe(200)
})

test('a counter that does not grow shows a copy: it is refused and recorded', async () => {
  const { email, passkey } = await addUserWithPasskey()
  expect((await (await signIn(passkey, { counter: 7 })).send()).status).toBe(200)
  for (const counter of [7, 6, 0]) {
    expect((await (await signIn(passkey, { counter })).send()).status).toBe(401)
  }
  expect(await listKinds(email)).toContain('passkey_copied')
  expect((await (await signIn(passkey, { counter: 8 })).send()).status).toBe(200)
  const uncounted = await addUserWithPasskey()
  for (let times = 0; times < 2; times++)
    expect((await (await signIn(uncounted.passkey, { counter: 0 })).send()).status).toBe(200)
})

test('a new passkey has to be made here, now, for this session, by a verified user', async () => {
  const { token } = await addUser()
  const other = await addUser()
  const add = (response: object, by = token) =>
    post('a', '/my-factors/passkeys/', { name: 'Key', passkey: response }, { token: by })
  for (const conditions of [{ origin: 'https://evil.example' }, { origin: ORIGIN, isVerified: false }])
    expect((await add(authenticator.create(await requestNew(token), conditions).response)).status).toBe(400)
  const { response } = authenticator.create(await requestNew(token), { origin: ORIGIN })
  await requestNew(other.token)
  expect((await add(response, other.token)).status).toBe(400)
  expect((await add(response)).status).toBe(200)
  expect((await add(response)).status).toBe(400)
})

test('passkeys are named, and removed after the password; without one the password suffices again', async () => {
  const { id, email, token } = await addUserWithPasskey()
  const { response } = authenticator.create(await requestNew(token), { origin: ORIGIN })
  const second = await post('a', '/my-factors/passkeys/', { name: 'Phone', passkey: response }, { token })
  expect(second.body.recoveryCodes).toBeNull()
  const list = async () => (await server.call('a', 'GET', '/api/my-factors/', { token })).body.passkeys
  const [first, last] = await list()
  expect([first.name, last.name]).toEqual(['Laptop', 'Phone'])
  await superuser.query("update sessions set confirmed_at = 'epoch' where user_id = $1", [id])
  const remove = (passkeyId: string, by = token) =>
    server.call('a', 'DELETE', `/api/my-factors/passkeys/${passkeyId}/`, { token: by })
  expect(await remove(first.id)).toMatchObject({ status: 403, body: { error: 'reauthenticate' } })
  await post('a', '/confirm-password/', { password: PASSWORD }, { token })
  const stranger = await addUser()
  expect((await remove(first.id, stranger.token)).status).toBe(404)
  expect((await remove(first.id)).status).toBe(200)
  expect((await login(email)).body.requires2FA).toBe(true)
  expect((await remove(last.id)).status).toBe(200)
  expect((await login(email)).body.requires2FA).toBe(false)
})

test('a sensitive change is confirmed by a passkey of the user, for this session and once', async () => {
  const { id, token, passkey } = await addUserWithPasskey()
  const others = [await addUserWithPasskey(), await addUserWithPasskey('b')]
  const start = async () => (await post('a', '/confirmation/', {}, { token })).body
  const confirm = (proof: object, by = token) => post('a', '/confirm-passkey/', { proof }, { token: by })
  const sign = async (signer: SoftwarePasskey, conditions: object = {}) =>
    authenticator.sign(signer, (await start()).passkey, { origin: ORIGIN, ...UNCOUNTED, ...conditions })
  const isConfirmed = async () => (await post('a', '/my-factors/recovery-codes/', {}, { token })).status === 200
  await superuser.query("update sessions set confirmed_at = 'epoch' where user_id = $1", [id])
  expect(await start()).toMatchObject({ ways: ['passkey', 'password'], passkey: { userVerification: 'required' } })
  for (const other of others) expect((await confirm(await sign(other.passkey))).status).toBe(400)
  for (const conditions of [{ origin: 'https://evil.example' }, { isVerified: false }])
    expect((await confirm(await sign(passkey, conditions))).status).toBe(400)
  // A signature for a sign-in, or for another session.
  expect((await confirm((await signIn(passkey, UNCOUNTED)).proof)).status).toBe(400)
  const elsewhere = (await (await signIn(passkey, UNCOUNTED)).send()).body.access
  expect((await confirm(await sign(passkey), elsewhere)).status).toBe(400)
  expect(await isConfirmed()).toBe(false)
  const proof = await sign(passkey)
  expect((await confirm(proof)).status).toBe(200)
  expect(await isConfirmed()).toBe(true)
  expect((await confirm(proof)).status).toBe(400)
})

test('at a host without a name there are no passkeys', async () => {
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/passkey-sign-in/options/',
    headers: { host: '127.0.0.1:8080', 'x-tenant': 'a' },
    payload: { use: 'only factor' },
  })
  expect(response.statusCode).toBe(409)
})

test('an administrator removes passkeys with the other factors', async () => {
  const { id, email, passkey } = await addUserWithPasskey()
  await server.addUser('a', { email: 'boss@mail.example', role: 'admin' })
  const { access } = await server.signIn('a', 'boss@mail.example')
  const reset = await post('a', `/reset-user-factors/${id}/`, {}, { token: access })
  expect(reset.body.message).toBe(`The second factors of ${email} are removed: passkey Laptop.`)
  expect((await (await signIn(passkey)).send()).status).toBe(401)
})

test('with single sign-on only, a passkey is refused like a password', async () => {
  const { passkey } = await addUserWithPasskey('b')
  await superuser.query(
    `insert into sso_connections
     values ('b', 'https://login.example', 'id', '\\x00', 'openid', 'Sign in', true, true, '[]', 15, 60, now())`,
  )
  const refused = await (await signIn(passkey, {}, 'b')).send()
  await superuser.query('delete from sso_connections')
  expect(refused.status).toBe(401)
  expect((await (await signIn(passkey, {}, 'b')).send()).status).toBe(200)
})
