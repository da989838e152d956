import { Secret, TOTP } from 'otpauth'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveSecrets } from '../platform/secrets.ts'
import { TEST_SECRET_KEY } from '../testing/database.ts'
import { type Mailbox, startMailbox } from '../testing/mailbox.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
let post: Mailbox
beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
  post = await startMailbox(server)
})
afterAll(async () => {
  await post.close()
  await server.close()
})

const STEP_MS = 30_000
let users = 0

/** A code is valid once per time step, so each test advances to a later one. */
const nextStep = (steps = 3) => {
  server.clock.now = new Date(server.clock.now.getTime() + steps * STEP_MS)
}

const generate = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: server.clock.now.getTime() + steps * STEP_MS,
  })

const send = (tenant: string, path: string, token: string, body: object = {}) =>
  server.call(tenant, 'POST', `/api${path}`, { token, body })

/** A user with an authenticator app. */
const addUserWithApp = async (tenant = 'a', options: { checkOtp?: boolean; role?: 'admin' } = {}) => {
  const email = `app${++users}@mail.example`
  const id = await server.addUser(tenant, { email, ...options, checkOtp: false })
  const { access: token } = await server.signIn(tenant, email)
  const { secret } = (await send(tenant, '/my-factors/totp/', token)).body
  const confirmed = await send(tenant, '/my-factors/totp/confirm/', token, { code: generate(secret) })
  if (confirmed.status !== 200) throw new Error(JSON.stringify(confirmed.body))
  if (options.checkOtp) await send(tenant, '/check-otp/', token, { checkOtp: true })
  nextStep()
  return { id, email, token, secret: secret as string, codes: confirmed.body.recoveryCodes as string[] }
}

/** A sign-in up to the second factor, with the browser's cookie. */
const login = async (email: string, tenant = 'a') => {
  const { status, body, headers } = await server.call(tenant, 'POST', '/api/user/login/', {
    body: { email, password: PASSWORD },
  })
  const [cookie = ''] = [headers['set-cookie'] ?? []].flat()
  return { status, body, cookie: cookie.split(';')[0] as string }
}

const verify = (email: string, cookie: string, body: object, tenant = 'a') =>
  server.call(tenant, 'POST', '/api/verify-otp/', { headers: { cookie }, body: { email, ...body } })

const listSubjects = async (email: string) =>
  (await superuser.query('select subject from messages where recipient = $1', [email])).rows.map(
    ({ subject }) => subject,
  )

const listEvents = async (email: string) =>
  (await superuser.query('select kind, details from security_events where account = $1 order by id', [email])).rows

test('an app is active once one of its codes was entered, and then a sign-in requires one', async () => {
  const email = 'first@mail.example'
  await server.addUser('a', { email })
  const { access: token } = await server.signIn('a', email)
  const started = await send('a', '/my-factors/totp/', token)
  expect(started.body.uri).toBe(
    `otpauth://totp/Company%20a:first%40mail.example?issuer=Company%20a&secret=${started.body.secret}&algorithm=SHA1&digits=6&period=30`,
  )
  expect((await login(email)).body.requires2FA).toBe(false)
  const wrong = await send('a', '/my-factors/totp/confirm/', token, { code: generate(started.body.secret, 5) })
  expect(wrong.status).toBe(400)
  const added = await send('a', '/my-factors/totp/confirm/', token, { code: generate(started.body.secret) })
  expect(added.body.recoveryCodes).toHaveLength(10)
  expect((await server.call('a', 'GET', '/api/my-factors/', { token })).body).toMatchObject({
    totp: { lastUsedAt: null },
    recoveryCodesLeft: 10,
  })
  expect((await send('a', '/my-factors/totp/', token)).status).toBe(409)
  const { rows } = await superuser.query('select secret from totp_secrets')
  expect(rows.some(({ secret }) => secret.includes(Buffer.from(started.body.secret)))).toBe(false)
  const waiting = await login(email)
  expect(waiting.body).toEqual({ requires2FA: true, newUser: false, factors: ['totp', 'recovery'] })
  nextStep()
  const entered = await verify(email, waiting.cookie, { otp: generate(started.body.secret) })
  expect(entered).toMatchObject({ status: 200, body: { requires2FA: false } })
  expect((await server.call('a', 'GET', '/api/verify-token/', { token: entered.body.access })).body.email).toBe(email)
  expect(await listSubjects(email)).toContain('A second factor was added: authenticator app')
  const events = (await listEvents(email)).filter(({ kind }) => kind !== 'new_device')
  expect(events.slice(-2)).toEqual([
    { kind: 'factor_added', details: { factor: 'authenticator app' } },
    { kind: 'sign_in', details: { factor: 'totp' } },
  ])
})

test('a code is accepted once, also by two sign-ins at once, and none of an earlier step after it', async () => {
  const { email, secret } = await addUserWithApp()
  const [one, two, three] = [await login(email), await login(email), await login(email)]
  const code = { otp: generate(secret), factor: 'totp' }
  const earlier = { otp: generate(secret, -1), factor: 'totp' }
  const both = await Promise.all([verify(email, one.cookie, code), verify(email, two.cookie, code)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await verify(email, three.cookie, code)).status).toBe(401)
  expect((await verify(email, three.cookie, earlier)).status).toBe(401)
  nextStep(1)
  expect((await verify(email, three.cookie, { otp: generate(secret), factor: 'totp' })).status).toBe(200)
})

test('codes of one step before and after are accepted, others are not', async () => {
  const { email, secret } = await addUserWithApp()
  const tryStep = async (steps: number) =>
    (await verify(email, (await login(email)).cookie, { otp: generate(secret, steps) })).status
  expect(await tryStep(-2)).toBe(401)
  expect(await tryStep(2)).toBe(401)
  expect(await tryStep(-1)).toBe(200)
  nextStep()
  expect(await tryStep(1)).toBe(200)
})

test('a challenge allows five tries, and is refused for another user, tenant or browser', async () => {
  const { email, secret } = await addUserWithApp()
  const other = await addUserWithApp()
  const foreign = await addUserWithApp('b')
  const waiting = await login(email)
  const right = { otp: generate(secret), factor: 'totp' }
  expect((await verify(email, '', right)).status).toBe(401)
  expect((await verify(email, (await login(other.email)).cookie, right)).status).toBe(401)
  expect((await verify(other.email, waiting.cookie, { otp: generate(other.secret) })).status).toBe(401)
  expect((await verify(foreign.email, waiting.cookie, { otp: generate(foreign.secret) }, 'b')).status).toBe(401)
  expect((await verify(email, waiting.cookie, { otp: generate(foreign.secret) })).status).toBe(401)
  for (let tries = 1; tries < 5; tries++)
    expect((await verify(email, waiting.cookie, { otp: '000000', factor: 'totp' })).status).toBe(401)
  expect((await verify(email, waiting.cookie, right)).status).toBe(401)
  const again = await login(email)
  expect((await verify(email, again.cookie, right)).status).toBe(200)
  nextStep()
  expect((await verify(email, again.cookie, { otp: generate(secret) })).status).toBe(401)
})

test('challenges are limited, so that guessing stays slow', async () => {
  const { email } = await addUserWithApp()
  const statuses = []
  for (let tries = 0; tries < 25; tries++) statuses.push((await login(email)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(20)
  expect(statuses.at(-1)).toBe(429)
})

test('a recovery code signs in once, is mailed about, and new ones replace the rest', async () => {
  const { id, email, codes } = await addUserWithApp()
  const [first = '', second = ''] = codes
  const [one, two] = [await login(email), await login(email)]
  const typed = first.toUpperCase().replaceAll('-', ' ')
  const both = await Promise.all([verify(email, one.cookie, { otp: typed }), verify(email, two.cookie, { otp: first })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  const token = both.find(({ status }) => status === 200)?.body.access
  expect((await server.call('a', 'GET', '/api/my-factors/', { token })).body.recoveryCodesLeft).toBe(9)
  const replaced = (await send('a', '/my-factors/recovery-codes/', token)).body.recoveryCodes
  expect(replaced).toHaveLength(10)
  const three = await login(email)
  expect((await verify(email, three.cookie, { otp: second })).status).toBe(401)
  expect((await verify(email, three.cookie, { otp: replaced[9] })).status).toBe(200)
  expect((await listEvents(email)).filter(({ kind }) => kind === 'recovery_code_used')).toHaveLength(2)
  expect(await listSubjects(email)).toContain('A recovery code was used to sign in to your account')
  const { rows } = await superuser.query('select code_hash from recovery_codes where user_id = $1', [id])
  expect(rows.every(({ code_hash }) => code_hash.length === 32)).toBe(true)
})

test('codes of another user are refused', async () => {
  const { email } = await addUserWithApp()
  const other = await addUserWithApp()
  const { cookie } = await login(email)
  expect((await verify(email, cookie, { otp: other.codes[0] as string })).status).toBe(401)
})

test('with an app and mailed codes, a code is mailed on request only, and again after a pause', async () => {
  const { email } = await addUserWithApp('a', { checkOtp: true })
  const { body, cookie } = await login(email)
  expect(body.factors).toEqual(['totp', 'email', 'recovery'])
  const countMails = async () =>
    Number(
      (
        await superuser.query(
          "select count(*) from messages where recipient = $1 and subject like 'Your verification code%'",
          [email],
        )
      ).rows[0].count,
    )
  const requestCode = (browser = cookie, to = email) =>
    server.call('a', 'POST', '/api/send-code/', { headers: { cookie: browser }, body: { email: to } })
  expect(await countMails()).toBe(0)
  expect((await requestCode('')).status).toBe(401)
  expect((await requestCode(cookie, 'somebody@mail.example')).status).toBe(401)
  expect((await requestCode()).status).toBe(200)
  expect(await requestCode()).toMatchObject({ status: 429, headers: { 'retry-after': '30' } })
  server.clock.now = new Date(server.clock.now.getTime() + 30_000)
  expect((await requestCode()).status).toBe(200)
  expect(await countMails()).toBe(2)
  const mails = [await post.waitFor(email, 3), await post.waitFor(email, 4)]
  const [old, code] = mails.map((mail) => /^\s*(\d{6})\s*$/m.exec(mail.part('text/plain') ?? '')?.[1] as string)
  if (old !== code) expect((await verify(email, cookie, { otp: old, factor: 'email' })).status).toBe(401)
  expect((await verify(email, cookie, { otp: code, factor: 'email' })).status).toBe(200)
})

test('users without mailed codes cannot have one mailed', async () => {
  const { email } = await addUserWithApp()
  const { cookie } = await login(email)
  const sent = await server.call('a', 'POST', '/api/send-code/', { headers: { cookie }, body: { email } })
  expect(sent.status).toBe(401)
})

test('factors change only after the password, and removing the last one deletes the recovery codes', async () => {
  const { id, email, token } = await addUserWithApp()
  await superuser.query("update sessions set confirmed_at = 'epoch' where user_id = $1", [id])
  const remove = () => server.call('a', 'DELETE', '/api/my-factors/totp/', { token })
  for (const path of ['/my-factors/totp/', '/my-factors/recovery-codes/'])
    expect(await send('a', path, token)).toMatchObject({ status: 403, body: { error: 'reauthenticate' } })
  expect(await remove()).toMatchObject({ status: 403, body: { error: 'reauthenticate' } })
  await send('a', '/confirm-password/', token, { password: PASSWORD })
  expect((await remove()).status).toBe(200)
  expect((await superuser.query('select from recovery_codes where user_id = $1', [id])).rowCount).toBe(0)
  expect((await login(email)).body.requires2FA).toBe(false)
})

test('an administrator resets the factors of a user of the tenant, who gets a mail and is signed out', async () => {
  const { id, email, token } = await addUserWithApp()
  const foreign = await addUserWithApp('b')
  await server.addUser('a', { email: 'boss@mail.example', role: 'admin' })
  const { access: admin } = await server.signIn('a', 'boss@mail.example')
  const list = async () =>
    (await server.call('a', 'GET', '/api/get-users/', { token: admin })).body.find(
      (user: { email: string }) => user.email === email,
    )
  expect((await list()).hasSecondFactor).toBe(true)
  expect((await send('a', `/reset-user-factors/${foreign.id}/`, admin)).status).toBe(404)
  expect((await send('a', `/reset-user-factors/${id}/`, admin)).status).toBe(200)
  expect((await list()).hasSecondFactor).toBe(false)
  expect((await server.call('a', 'GET', '/api/verify-token/', { token })).status).toBe(401)
  expect((await login(email)).body.requires2FA).toBe(false)
  const { rows } = await superuser.query("select performer, details from audit_log where action = 'user.reset_factors'")
  expect(rows).toHaveLength(1)
  expect(rows[0].details).toEqual({ factors: 'authenticator app' })
  expect((await listEvents(email)).map(({ kind }) => kind)).toContain('factors_reset')
  expect(await listSubjects(email)).toContain('The second factors of your account were removed')
  expect((await login(foreign.email, 'b')).body.requires2FA).toBe(true)
})

test('the secret is bound to its user and key', async () => {
  const { id } = await addUserWithApp()
  const { rows } = await superuser.query('select secret from totp_secrets where user_id = $1', [id])
  const secrets = deriveSecrets(TEST_SECRET_KEY)
  expect(secrets.open(rows[0].secret, `totp:a:${id}`)).toMatch(/^[A-Z2-7]{32}$/)
  expect(() => secrets.open(rows[0].secret, `totp:a:${id + 1}`)).toThrow()
})

test('a sensitive change is confirmed by a code of the app, which counts once', async () => {
  const { id, token, secret } = await addUserWithApp()
  const remove = () => server.call('a', 'DELETE', '/api/my-factors/totp/', { token })
  const expire = () => superuser.query("update sessions set confirmed_at = 'epoch' where user_id = $1", [id])
  await expire()
  expect((await remove()).body.error).toBe('reauthenticate')
  expect((await send('a', '/confirmation/', token)).body).toEqual({ ways: ['totp', 'password'], passkey: null })
  const foreign = await addUserWithApp('b')
  expect((await send('a', '/confirm-code/', token, { code: generate(foreign.secret) })).status).toBe(400)
  expect((await remove()).body.error).toBe('reauthenticate')
  const code = generate(secret)
  expect((await send('a', '/confirm-code/', token, { code })).status).toBe(200)
  await expire()
  expect((await send('a', '/confirm-code/', token, { code })).status).toBe(400)
  expect((await remove()).body.error).toBe('reauthenticate')
  nextStep()
  expect((await send('a', '/confirm-code/', token, { code: generate(secret) })).status).toBe(200)
  expect((await remove()).status).toBe(200)
  expect((await send('a', '/confirm-code/', token, { code: generate(secret, 1) })).status).toBe(400)
})

test('guesses of codes that confirm a change are limited, and change nothing at sign-in', async () => {
  const { email, token, secret } = await addUserWithApp()
  const guess = async () => (await send('a', '/confirm-code/', token, { code: '000000' })).status
  const statuses = []
  for (let count = 0; count < 11; count++) statuses.push(await guess())
  expect([statuses[0], statuses.at(-1)]).toEqual([400, 429])
  const { cookie } = await login(email)
  expect((await verify(email, cookie, { otp: generate(secret) })).status).toBe(200)
})
