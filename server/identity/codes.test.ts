import { afterAll, beforeAll, expect, test } from 'vitest'
import { CODE_PAUSE_S } from '#contract/identity.ts'
import { runOnce } from '../testing/database.ts'
import { type Mailbox, startMailbox } from '../testing/mailbox.ts'
import { OWN_LOCKS } from '../testing/own-locks.ts'
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

const MINUTE_MS = 60_000
let users = 0

/** Adds a user who always needs a code. */
const addPerson = async (tenant = 'a', options: { mustChangePassword?: boolean } = {}) => {
  const email = `person${++users}@mail.example`
  await server.addUser(tenant, { email, checkOtp: true, ...options })
  return email
}

/** The cookie of each user's latest sign-in, as stored in their browser. */
const cookies = new Map<string, string>()

const login = async (email: string, tenant = 'a') => {
  const response = await server.call(tenant, 'POST', '/api/user/login/', { body: { email, password: PASSWORD } })
  const [cookie] = [response.headers['set-cookie'] ?? []].flat()
  if (cookie) cookies.set(email, cookie.split(';')[0] as string)
  return response
}

const verify = (
  email: string,
  otp: string,
  tenant = 'a',
  remoteAddress = '127.0.0.1',
  cookie = cookies.get(email) ?? '',
) =>
  server.app.inject({
    method: 'POST',
    url: '/api/api/verify-otp/',
    headers: { host: `${tenant}.example`, cookie },
    remoteAddress,
    payload: { email, otp, tenant },
  })

const readCode = async (email: string, number = 1) => {
  const mail = await post.waitFor(email, number)
  return /^\s*(\d{6})\s*$/m.exec(mail.part('text/plain') ?? '')?.[1] as string
}

const sendCode = (email: string) =>
  server.call('a', 'POST', '/api/send-code/', { headers: { cookie: cookies.get(email) ?? '' }, body: { email } })

/** Returns the connection that holds the lock. */
const lockUser = async (email: string) => {
  const superuser = await server.connectSuperuser()
  await superuser.query('begin')
  await superuser.query('select from users where email = $1 for update', [email])
  return superuser
}

const countBlocked = async () => (await runOnce(server.superuser, `select from ${OWN_LOCKS} where not granted`)).length

const listMails = (email: string) => runOnce(server.superuser, `select id from messages where recipient = '${email}'`)

const otherThan = (code: string) => (code === '111111' ? '222222' : '111111')

test('the right password mails a code in the tenant’s brand, and the code signs in, once', async () => {
  const email = await addPerson()
  const requested = await login(email)
  expect(requested.body).toEqual({ requires2FA: true, newUser: false })
  const mail = await post.waitFor(email)
  expect(mail.header('Subject')).toBe('Your verification code for Company a')
  const code = await readCode(email)
  expect(mail.part('text/html')).toContain(code)
  const entered = await verify(email, code)
  expect(entered.statusCode).toBe(200)
  const { access } = entered.json()
  expect((await server.call('a', 'GET', '/api/verify-token/', { token: access })).body.email).toBe(email)
  expect((await verify(email, code)).statusCode).toBe(401)
})

test('a wrong password mails nothing', async () => {
  const email = await addPerson()
  await server.call('a', 'POST', '/api/user/login/', { body: { email, password: 'Wrong-pass-1' } })
  const sent = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('messages').select('id').where('recipient', '=', email).execute(),
  )
  expect(sent).toEqual([])
})

test('of fifty tries at once five are compared, and then the right one is too late', async () => {
  const email = await addPerson()
  await login(email)
  const code = await readCode(email)
  // Each from a different address, so that only the code's own attempt limit applies.
  const tries = Array.from({ length: 50 }, (_, index) => verify(email, otherThan(code), 'a', `192.0.2.${index + 1}`))
  const responses = await Promise.all(tries)
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(401))
  const row = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .selectFrom('sign_in_codes as c')
      .innerJoin('users as u', 'u.id', 'c.user_id')
      .select('tries')
      .where('u.email', '=', email)
      .executeTakeFirstOrThrow(),
  )
  expect(row.tries).toBe(5)
  expect((await verify(email, code, 'a', '198.51.100.1')).statusCode).toBe(401)
})

test('of many who bring the right code at once, one gets in', async () => {
  const email = await addPerson()
  await login(email)
  const code = await readCode(email)
  // Opens connections first. Otherwise a single connection would serve all requests in sequence.
  await Promise.all(Array.from({ length: 10 }, (_, index) => verify(`nobody${index}@mail.example`, code)))
  const responses = await Promise.all(
    Array.from({ length: 5 }, (_, index) => verify(email, code, 'a', `198.51.100.${index + 10}`)),
  )
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
})

test('a code signs in its owner only, though their address is given to another user meanwhile', async () => {
  const email = await addPerson()
  const other = await addPerson()
  await login(email)
  const code = await readCode(email)
  const superuser = await lockUser(email)
  const entering = verify(email, code)
  await expect.poll(countBlocked).toBe(1)
  await superuser.query("update users set email = 'former@mail.example' where email = $1", [email])
  await superuser.query('update users set email = $2 where email = $1', [other, email])
  await superuser.query('commit')
  expect((await entering).statusCode).toBe(401)
})

test('of two requests of another code at once, one is mailed', async () => {
  const email = await addPerson()
  await login(email)
  server.clock.now = new Date(server.clock.now.getTime() + CODE_PAUSE_S * 1000)
  const superuser = await lockUser(email)
  const requests = Promise.all([sendCode(email), sendCode(email)])
  await expect.poll(countBlocked).toBe(2)
  await superuser.query('commit')
  await superuser.end()
  expect((await requests).map(({ status }) => status).toSorted()).toEqual([200, 429])
  expect(await listMails(email)).toHaveLength(2)
})

test('no other code is mailed for a sign-in that is completed meanwhile', async () => {
  const email = await addPerson()
  await login(email)
  server.clock.now = new Date(server.clock.now.getTime() + CODE_PAUSE_S * 1000)
  const superuser = await lockUser(email)
  const request = sendCode(email)
  await expect.poll(countBlocked).toBe(1)
  await superuser.query('delete from sign_in_codes using users where user_id = users.id and email = $1', [email])
  await superuser.query('commit')
  await superuser.end()
  expect((await request).status).toBe(401)
  expect(await listMails(email)).toHaveLength(1)
})

test('tries without the challenge of the sign-in change nothing for the owner, also from the same network', async () => {
  const email = await addPerson()
  const other = await addPerson()
  await login(email)
  await login(other)
  const code = await readCode(email)
  const strangers = [undefined, 'sign-in-challenge=guessed', cookies.get(other)]
  for (const cookie of strangers)
    for (let tries = 0; tries < 5; tries++) {
      const guess = tries === 4 ? code : otherThan(code)
      expect((await verify(email, guess, 'a', '127.0.0.1', cookie ?? 'none=1')).statusCode).toBe(401)
    }
  expect((await verify(email, code)).statusCode).toBe(200)
})

test('the challenge travels in a cookie that no script reads, and only its hash is stored', async () => {
  const email = await addPerson()
  const { headers } = await login(email)
  expect(headers['set-cookie']).toMatch(
    /^sign-in-challenge=[\w-]{43}; Max-Age=600; Path=\/api; HttpOnly; SameSite=Strict$/,
  )
  const rows = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('sign_in_codes').selectAll().execute(),
  )
  expect(JSON.stringify(rows)).not.toContain(cookies.get(email)?.split('=')[1])
})

test('two right submits at once, again and again: one gets in, the other a clear no', async () => {
  for (let round = 1; round <= 5; round++) {
    const email = await addPerson()
    await login(email)
    const code = await readCode(email)
    const statuses = (await Promise.all([verify(email, code), verify(email, code)])).map(({ statusCode }) => statusCode)
    expect(statuses.toSorted()).toEqual([200, 401])
  }
})

test('a new code replaces the old one', async () => {
  const email = await addPerson()
  await login(email)
  const first = await readCode(email)
  await login(email)
  const second = await readCode(email, 2)
  if (first !== second) expect((await verify(email, first)).statusCode).toBe(401)
  expect((await verify(email, second)).statusCode).toBe(200)
})

test('a code expires after ten minutes', async () => {
  const email = await addPerson()
  await login(email)
  const code = await readCode(email)
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + 11 * MINUTE_MS)
  const late = await verify(email, code)
  server.clock.now = before
  expect(late.statusCode).toBe(401)
})

test('a code of one tenant is refused in another, also for the same address', async () => {
  const email = await addPerson('a')
  await server.addUser('b', { email, checkOtp: true })
  await login(email, 'a')
  const code = await readCode(email)
  expect((await verify(email, code, 'b')).statusCode).toBe(401)
  expect((await verify(email, code, 'a')).statusCode).toBe(200)
})

test('a missing code, a wrong code and an unknown address get the same response', async () => {
  const email = await addPerson()
  const none = await verify(email, '123456')
  const unknown = await verify('nobody@mail.example', '123456')
  await login(email)
  const wrong = await verify(email, otherThan(await readCode(email)))
  expect(unknown.json()).toEqual(none.json())
  expect(wrong.json()).toEqual(none.json())
})

test('the code is stored as a keyed hash, and the mail that held it is erased', async () => {
  const email = await addPerson()
  await login(email)
  const code = await readCode(email)
  await expect
    .poll(async () => {
      const rows = await server.database.transaction({ tenantId: 'a' }, (db) =>
        db.selectFrom('messages').select(['state', 'text', 'html']).where('recipient', '=', email).execute(),
      )
      return rows[0]
    })
    .toEqual({ state: 'sent', text: '', html: null })
  const codes = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('sign_in_codes').selectAll().execute(),
  )
  expect(JSON.stringify(codes)).not.toContain(code)
})

test('a user who must change the password learns so after the code', async () => {
  const email = await addPerson('a', { mustChangePassword: true })
  await login(email)
  expect((await verify(email, await readCode(email))).json()).toMatchObject({ newUser: true })
})

test('a user who knows the password gets a limited number of codes to guess', async () => {
  const email = await addPerson()
  for (let requested = 0; requested < 20; requested++) {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/user/login/',
      headers: { host: 'a.example' },
      remoteAddress: `203.0.113.${requested + 1}`,
      payload: { email, password: PASSWORD },
    })
    expect(response.statusCode).toBe(200)
  }
  const one = await server.app.inject({
    method: 'POST',
    url: '/api/user/login/',
    headers: { host: 'a.example' },
    remoteAddress: '203.0.113.200',
    payload: { email, password: PASSWORD },
  })
  expect(one.statusCode).toBe(429)
})
