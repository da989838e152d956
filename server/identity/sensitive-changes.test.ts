import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatDateTime } from '#contract/format/times.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let userId: number
let admin: string
let user: string

const MINUTE_MS = 60_000

beforeAll(async () => {
  server = await startTestServer()
  userId = await server.addUser('a', { email: 'bob@a.example', checkOtp: false })
  await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
  await server.addUser('b', { email: 'bob@a.example' })
})
afterAll(() => server.close())

beforeEach(async () => {
  admin = (await server.signIn('a', 'ada@a.example')).access
  user = (await server.signIn('a', 'bob@a.example')).access
  await server.database.transaction({ tenantId: 'a' }, (db) => db.deleteFrom('messages').execute())
})

/** Later than the confirmation expires, and before the access token does, which a real client would refresh. */
const expireConfirmations = (tenantId = 'a') =>
  server.database.transaction({ tenantId }, (db) =>
    db
      .updateTable('sessions')
      .set({ confirmed_at: new Date(server.clock.now.getTime() - 15 * MINUTE_MS) })
      .execute(),
  )

const post = (path: string, body: object, token: string) => server.call('a', 'POST', `/api${path}`, { body, token })
const confirm = (password: string, token: string) => post('/confirm-password/', { password }, token)

const listMails = async () =>
  (
    await server.database.transaction({ tenantId: 'a' }, (db) =>
      db.selectFrom('messages').select(['recipient', 'subject']).orderBy('recipient').orderBy('subject').execute(),
    )
  ).map(({ recipient, subject }) => `${recipient}: ${subject}`)

const form = { username: 'north', customerName: 'Some One', company: 'Company' }
const edit = (change: object, token = admin) =>
  server.call('a', 'PUT', `/api/update-user/${userId}/`, {
    body: { email: 'bob@a.example', ...form, ...change },
    token,
  })

test('a confirmation by a clock that was ahead does not last until it gets there again', async () => {
  const confirmAhead = (ms: number) =>
    server.database.transaction({ tenantId: 'a' }, (db) =>
      db
        .updateTable('sessions')
        .set({ confirmed_at: new Date(server.clock.now.getTime() + ms) })
        .execute(),
    )
  await post('/check-otp/', { checkOtp: true }, user)
  await confirmAhead(24 * 60 * MINUTE_MS)
  expect((await post('/check-otp/', { checkOtp: false }, user)).body.error).toBe('reauthenticate')
  // The clock of another process may be a little ahead.
  await confirmAhead(5_000)
  expect((await post('/check-otp/', { checkOtp: false }, user)).status).toBe(200)
})

test('a sensitive change is refused until the password is confirmed, for this session only', async () => {
  const elsewhere = (await server.signIn('a', 'bob@a.example')).access
  await post('/check-otp/', { checkOtp: true }, user)
  await expireConfirmations()
  const refused = await post('/check-otp/', { checkOtp: false }, user)
  expect(refused).toMatchObject({ status: 403, body: { error: 'reauthenticate' } })
  expect(await confirm('Wrong-pass-1', user)).toMatchObject({ status: 400 })
  expect((await post('/check-otp/', { checkOtp: false }, user)).status).toBe(403)
  expect(await confirm(PASSWORD, user)).toMatchObject({ status: 200 })
  expect((await post('/check-otp/', { checkOtp: false }, elsewhere)).status).toBe(403)
  expect(await post('/check-otp/', { checkOtp: false }, user)).toMatchObject({ status: 200, body: { checkOtp: false } })
  expect(await listMails()).toContain('bob@a.example: Codes at sign-in are turned off for your account')
})

test('turning codes on, or saving an unchanged value, needs no confirmation', async () => {
  await expireConfirmations()
  expect((await post('/check-otp/', { checkOtp: false }, user)).status).toBe(200)
  expect((await edit({}, admin)).status).toBe(200)
  expect((await edit({ customerName: 'Another Name' }, admin)).status).toBe(200)
  expect(await listMails()).toEqual([])
})

test('a new phone number is confirmed and mailed without the number', async () => {
  await expireConfirmations()
  const number = { phoneNumber: '907-555-0199' }
  expect(await post('/change-phone-number/', number, user)).toMatchObject({ body: { error: 'reauthenticate' } })
  await confirm(PASSWORD, user)
  expect((await post('/change-phone-number/', number, user)).status).toBe(200)
  expect((await post('/change-phone-number/', number, user)).status).toBe(200)
  expect(await listMails()).toEqual(['bob@a.example: The phone number of your account now ends in 0199'])
})

test('a new email address is confirmed by the administrator and mailed to the old and the new one', async () => {
  await expireConfirmations()
  expect(await edit({ email: 'robert@a.example' })).toMatchObject({ status: 403, body: { error: 'reauthenticate' } })
  await confirm(PASSWORD, admin)
  expect((await edit({ email: 'robert@a.example' })).status).toBe(200)
  const subject = 'The email address of your account is now robert@a.example'
  expect(await listMails()).toEqual([`bob@a.example: ${subject}`, `robert@a.example: ${subject}`])
  await edit({})
})

test('a new administrator needs confirmation, however they are made, and all administrators get mail', async () => {
  await expireConfirmations()
  const eve = { ...form, email: 'eve@a.example', role: 'admin', initialPassword: 'Initial-pass-1' }
  const csv = `email,username,customerName,company,role,initialPassword\nmallory@a.example,north,Mallory,Company,admin,Initial-pass-1\n`
  const attempts = [
    () => post('/create-user/', eve, admin),
    () => edit({ role: 'admin' }),
    () => post('/import-users/', { csv, apply: true }, admin),
  ]
  for (const attempt of attempts) expect((await attempt()).body).toMatchObject({ error: 'reauthenticate' })
  await confirm(PASSWORD, admin)
  for (const attempt of attempts) expect((await attempt()).status).toBe(200)
  expect((await listMails()).filter((mail) => mail.startsWith('ada@'))).toEqual([
    'ada@a.example: bob@a.example is now an administrator',
    'ada@a.example: eve@a.example is now an administrator',
    'ada@a.example: mallory@a.example is now an administrator',
  ])
  await edit({ role: 'user' })
})

test('an administrator confirms before replacing the password of anybody', async () => {
  const id = await server.addUser('a', { email: 'dan@a.example' })
  const body = { email: 'dan@a.example', ...form, initialPassword: 'Replaced-pass-1' }
  const replace = () => server.call('a', 'PUT', `/api/update-user/${id}/`, { body, token: admin })
  await expireConfirmations()
  expect(await replace()).toMatchObject({ status: 403, body: { error: 'reauthenticate' } })
  expect((await server.signIn('a', 'dan@a.example')).access).toBeTruthy()
  await confirm(PASSWORD, admin)
  expect((await replace()).status).toBe(200)
  expect(await listMails()).toEqual(['dan@a.example: An administrator replaced your password'])
})

test('wrong confirmations are limited, and recorded in one row', async () => {
  await expireConfirmations()
  for (let tries = 0; tries < 10; tries++) await confirm('Wrong-pass-1', user)
  expect((await confirm(PASSWORD, user)).status).not.toBe(200)
  expect((await confirm(PASSWORD, admin)).status).toBe(200)
  const events = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('security_events').select('account').where('kind', '=', 'confirmation_failed').execute(),
  )
  expect(events).toEqual([{ account: 'bob@a.example' }])
})

test('a guess at the current password is recorded like a wrong confirmation', async () => {
  await server.addUser('a', { email: 'finn@a.example' })
  const token = (await server.signIn('a', 'finn@a.example')).access
  const guess = { currentPassword: 'Wrong-pass-1', newPassword: 'Another-pass-1' }
  expect((await post('/reset-password/', guess, token)).status).toBe(400)
  const { events } = (await server.call('a', 'GET', '/api/my-activity/', { token })).body
  expect(events.map(({ kind }: { kind: string }) => kind)).toContain('confirmation_failed')
})

test('a sign-in with a new browser is mailed, the first ever and a known one are not', async () => {
  await server.addUser('a', { email: 'carol@a.example' })
  const signIn = async (cookie?: string) => {
    const response = await server.call('a', 'POST', '/api/user/login/', {
      body: { email: 'carol@a.example', password: PASSWORD },
      ...(cookie && { headers: { cookie } }),
    })
    return String(response.headers['set-cookie']).split(';')[0] as string
  }
  const first = await signIn()
  expect(first).toMatch(/^dishboard_device=[\w-]{43}$/)
  expect(await signIn(`other=1; ${first}`)).toBe(first)
  expect(await listMails()).toEqual([])
  const second = await signIn()
  expect(second).not.toBe(first)
  expect(await listMails()).toEqual(['carol@a.example: Your account was signed in on a new device'])
  // A browser known for one user is not known for another.
  await server.signIn('a', 'bob@a.example')
  const stored = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('known_devices').selectAll().execute(),
  )
  expect(JSON.stringify(stored)).not.toContain(first.slice('dishboard_device='.length))
})

test('the time in a mail is that of the tenant’s zone', async () => {
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.updateTable('tenant_settings').set({ time_zone: 'Pacific/Auckland' }).execute(),
  )
  await confirm(PASSWORD, user)
  await post('/change-phone-number/', { phoneNumber: '907-555-0123' }, user)
  const mail = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('messages').select('text').where('recipient', '=', 'bob@a.example').executeTakeFirstOrThrow(),
  )
  expect(mail.text).toContain(`Time: ${formatDateTime(server.clock.now, 'Pacific/Auckland')}`)
})
