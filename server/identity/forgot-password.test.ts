import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPasswordAllowed } from '#contract/credentials.ts'
import { type Mailbox, startMailbox } from '../testing/mailbox.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let post: Mailbox
beforeAll(async () => {
  server = await startTestServer()
  post = await startMailbox(server)
})
afterAll(async () => {
  await post.close()
  await server.close()
})

let users = 0
const addTarget = async () => {
  const email = `forgetful${++users}@mail.example`
  await server.addUser('a', { email })
  return email
}

const requestPassword = (email: string) =>
  server.call('a', 'POST', '/api/api/forgot-password/', { body: { email, tenant: 'a' } })

const login = (email: string, password: string) =>
  server.call('a', 'POST', '/api/user/login/', { body: { email, password } })

const readPassword = async (email: string, number = 1) => {
  const mail = await post.waitFor(email, number)
  return /^ {4}(\S+)$/m.exec((mail.part('text/plain') ?? '').replaceAll('\r', ''))?.[1] as string
}

test('the mailed password satisfies the rule, works once beside the old one, and must be changed', async () => {
  const email = await addTarget()
  expect((await requestPassword(email)).status).toBe(200)
  const mailed = await readPassword(email)
  expect(isPasswordAllowed(mailed)).toBe(true)
  const old = await login(email, PASSWORD)
  expect(old.body).toMatchObject({ newUser: false })
  const first = await login(email, mailed)
  expect(first.body).toMatchObject({ requires2FA: false, newUser: true })
  expect((await login(email, mailed)).status).toBe(401)
  expect((await login(email, PASSWORD)).body).toMatchObject({ newUser: true })
})

test('of two who use the mailed password at once, one gets in', async () => {
  const email = await addTarget()
  await requestPassword(email)
  const mailed = await readPassword(email)
  const responses = await Promise.all([login(email, mailed), login(email, mailed)])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('the mailed password expires after an hour, and when a newer one is mailed', async () => {
  const email = await addTarget()
  await requestPassword(email)
  const first = await readPassword(email)
  await requestPassword(email)
  const second = await readPassword(email, 2)
  expect((await login(email, first)).status).toBe(401)
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + 61 * 60_000)
  const late = await login(email, second)
  server.clock.now = before
  expect(late.status).toBe(401)
})

test('an unknown address gets the same response and the same database row, but no mail', async () => {
  const known = await requestPassword(await addTarget())
  const unknown = await requestPassword('nobody@mail.example')
  expect(unknown).toMatchObject({ status: known.status, body: known.body })
  await expect
    .poll(() =>
      server.database.transaction(
        { tenantId: 'a' },
        async (db) => (await db.selectFrom('password_requests').select('id').execute()).length,
      ),
    )
    .toBe(0)
  expect(post.listTo('nobody@mail.example')).toEqual([])
})

test('repeated requests mail three passwords an hour, then wait, the same for known and unknown addresses', async () => {
  const email = await addTarget()
  const requestSix = async (address: string) => {
    const responses = []
    for (let sent = 0; sent < 6; sent++) {
      const { status, headers, body } = await requestPassword(address)
      responses.push([status, headers['retry-after'], body])
    }
    return responses
  }
  const responses = await requestSix(email)
  expect(responses.map(([status, retryAfter]) => [status, retryAfter])).toEqual([
    ...Array(3).fill([200, undefined]),
    ...Array(3).fill([429, '1200']),
  ])
  expect(await requestSix('no-account@mail.example')).toEqual(responses)
  await post.waitFor(email, 3)
  const queued = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('messages').select('id').where('recipient', '=', email).execute(),
  )
  expect(queued).toHaveLength(3)
})

test('the mailed password proves who one is when choosing a new one, which ends the other sessions', async () => {
  const email = await addTarget()
  const elsewhere = await login(email, PASSWORD)
  await requestPassword(email)
  const mailed = await readPassword(email)
  const here = await login(email, mailed)
  const change = (currentPassword: string) =>
    server.call('a', 'POST', '/api/reset-password/', {
      token: here.body.access,
      body: { currentPassword, newPassword: 'Chosen-pass-2' },
    })
  expect(await change('Wrong-pass-1')).toMatchObject({
    status: 400,
    body: { message: 'The current password is not right.' },
  })
  expect((await change(mailed)).status).toBe(200)
  const whoAmI = (token: string) => server.call('a', 'GET', '/api/verify-token/', { token })
  expect((await whoAmI(here.body.access)).status).toBe(200)
  expect((await whoAmI(elsewhere.body.access)).status).toBe(401)
  const refresh = await server.call('a', 'POST', '/api/token/refresh/', { body: { refresh: elsewhere.body.refresh } })
  expect(refresh.status).toBe(401)
  expect((await login(email, PASSWORD)).status).toBe(401)
  expect((await login(email, 'Chosen-pass-2')).body).toMatchObject({ newUser: false })
})

test('after a sign-in with the mailed password nothing else is open until a password is chosen', async () => {
  const email = await addTarget()
  const elsewhere = await login(email, PASSWORD)
  await requestPassword(email)
  const mailed = await readPassword(email)
  const here = await login(email, mailed)
  const list = (token: string) => server.call('a', 'GET', '/api/terminals/', { token })
  for (const { body } of [here, elsewhere])
    expect(await list(body.access)).toMatchObject({ status: 403, body: { error: 'change_password' } })
  const verified = await server.call('a', 'GET', '/api/verify-token/', { token: here.body.access })
  expect(verified).toMatchObject({ status: 200, body: { email, newUser: true } })
  const changed = await server.call('a', 'POST', '/api/reset-password/', {
    token: here.body.access,
    body: { currentPassword: mailed, newPassword: 'Chosen-pass-2' },
  })
  expect(changed.status).toBe(200)
  expect((await list(here.body.access)).status).toBe(200)
})

test('a deleted user has no session and no mailed password', async () => {
  const email = await addTarget()
  const { body } = await login(email, PASSWORD)
  await requestPassword(email)
  const mailed = await readPassword(email)
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.deleteFrom('users').where('email', '=', email).execute(),
  )
  expect((await server.call('a', 'GET', '/api/verify-token/', { token: body.access })).status).toBe(401)
  expect((await login(email, mailed)).status).toBe(401)
})
