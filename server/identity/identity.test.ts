import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../platform/database/database.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'
import { hashPassword, toBulkRequester } from './passwords.ts'
import { MAX_SESSIONS } from './sessions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const tenant of ['a', 'b']) await server.addUser(tenant, { customerName: `Person of ${tenant}` })
})
afterAll(() => server.close())

const login = (tenant: string, email: string, password: string, headers: Record<string, string> = {}) =>
  server.call(tenant, 'POST', '/api/user/login/', { body: { email, password }, headers })

const whoAmI = (tenant: string, token: string) => server.call(tenant, 'GET', '/api/verify-token/', { token })

test('the right password gives tokens that identify the user, whatever the case of the address', async () => {
  const { status, body } = await login('a', 'SomeOne@Mail.Example', PASSWORD)
  expect(status).toBe(200)
  expect(body).toMatchObject({ requires2FA: false, newUser: false })
  expect((await whoAmI('a', body.access)).body).toEqual({
    customerName: 'Person of a',
    email: 'someone@mail.example',
    mustAddFactor: false,
    role: 'user',
    newUser: false,
    listOrder: 'name',
  })
})

test('a wrong password and an unknown address get the same response', async () => {
  const wrong = await login('a', 'someone@mail.example', 'Wrong-pass-1')
  const unknown = await login('a', 'nobody@mail.example', 'Wrong-pass-1')
  expect(wrong.status).toBe(401)
  expect(unknown.body).toEqual(wrong.body)
})

test('a token of one tenant is refused in another', async () => {
  const { access, refresh } = await server.signIn('a')
  expect((await whoAmI('b', access)).status).toBe(401)
  expect((await server.call('b', 'POST', '/api/token/refresh/', { body: { refresh } })).status).toBe(401)
})

test('forged, unsigned and expired tokens identify no user', async () => {
  const { access } = await server.signIn('a')
  const [, payload] = access.split('.')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
  for (const token of ['nonsense', `${access}x`, unsigned]) expect((await whoAmI('a', token)).status).toBe(401)
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + 16 * 60_000)
  expect((await whoAmI('a', access)).status).toBe(401)
  server.clock.now = before
})

test('the oldest session ends when a user has too many, and their activity says so', async () => {
  const email = 'many@mail.example'
  const userId = await server.addUser('a', { email })
  await server.addUser('b', { email })
  const elsewhere = await server.signIn('b', email)
  const oldest = await server.signIn('a', email)
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql`
      insert into sessions (tenant_id, user_id, refresh_hash, created_at, expires_at, address, confirmed_at, network, user_agent)
      select tenant_id, user_id, decode(md5(n::text), 'hex'), created_at + n * interval '1 microsecond', expires_at, address,
        confirmed_at, network, user_agent
      from sessions, generate_series(1, ${MAX_SESSIONS - 1}::int) as n where user_id = ${userId}`.execute(db),
  )
  expect((await whoAmI('a', oldest.access)).status).toBe(200)
  const newest = await server.signIn('a', email)
  expect((await whoAmI('a', oldest.access)).status).toBe(401)
  expect((await whoAmI('a', newest.access)).status).toBe(200)
  expect((await whoAmI('b', elsewhere.access)).status).toBe(200)
  const { body } = await server.call('a', 'GET', '/api/my-activity/', { token: newest.access })
  expect(body.events).toContainEqual(
    expect.objectContaining({ kind: 'session_ended', details: { sessions: 1, reason: 'more than 100 at once' } }),
  )
})

test('a refresh token gives a new access token until the session is logged out', async () => {
  const { access, refresh } = await server.signIn('a')
  const renewed = await server.call('a', 'POST', '/api/token/refresh/', { body: { refresh } })
  expect((await whoAmI('a', renewed.body.access)).status).toBe(200)
  expect((await server.call('a', 'POST', '/api/logout/', { token: access })).status).toBe(200)
  expect((await whoAmI('a', renewed.body.access)).status).toBe(401)
  expect((await server.call('a', 'POST', '/api/token/refresh/', { body: { refresh } })).status).toBe(401)
})

test('on localhost without a tenant, signing in says what is missing', async () => {
  const { status, body } = await login('a', 'someone@mail.example', PASSWORD, { host: 'localhost' })
  expect(status).toBe(400)
  expect(body.message).toBe('Tenant information is missing. Please try again.')
})

test('the refresh token is stored as a hash only', async () => {
  const { refresh } = await server.signIn('b')
  const sessions = await server.database.transaction({ tenantId: 'b' }, (db) =>
    db.selectFrom('sessions').selectAll().execute(),
  )
  expect(JSON.stringify(sessions)).not.toContain(refresh)
  expect(sessions[0]?.refresh_hash).toHaveLength(32)
})

test('a user with codes turned on cannot sign in by password alone', async () => {
  await server.addUser('a', { email: 'careful@mail.example', checkOtp: true })
  const { status, body } = await login('a', 'careful@mail.example', PASSWORD)
  expect(status).toBe(200)
  expect(body).toEqual({ requires2FA: true, newUser: false })
})

test('guessing stops after ten tries from one address, also with the right password, and another address still gets in', async () => {
  await server.addUser('b', { email: 'target@mail.example' })
  for (let attempt = 0; attempt < 10; attempt++) await login('b', 'target@mail.example', 'Wrong-pass-1')
  const locked = await login('b', 'target@mail.example', PASSWORD)
  expect(locked.status).toBe(429)
  const elsewhere = await server.app.inject({
    method: 'POST',
    url: '/api/user/login/',
    headers: { host: 'b.example' },
    remoteAddress: '192.0.2.7',
    payload: { email: 'target@mail.example', password: PASSWORD },
  })
  expect(elsewhere.statusCode).toBe(200)
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + 16 * 60_000)
  expect((await login('b', 'target@mail.example', PASSWORD)).status).toBe(200)
  server.clock.now = before
})

test('an expired session is refused, even with an access token that is still valid, and cannot be renewed', async () => {
  const email = 'expired@mail.example'
  const userId = await server.addUser('a', { email })
  const { access, refresh } = await server.signIn('a', email)
  const verify = () => server.call('a', 'GET', '/api/verify-token/', { token: access })
  expect((await verify()).status).toBe(200)
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.updateTable('sessions').set({ expires_at: server.clock.now }).where('user_id', '=', userId).execute(),
  )
  expect((await verify()).status).toBe(401)
  expect((await server.call('a', 'POST', '/api/token/refresh/', { body: { refresh } })).status).toBe(401)
})

/** The status of a sign-in that waits for the user's row while another transaction changes something. */
const signInDuring = async (email: string, change: (db: Db, userId: number) => Promise<unknown>) => {
  const userId = await server.addUser('a', { email })
  let status: number | undefined
  const countWaiting = async () => {
    const waiting = sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await waiting.execute(server.database.outsideTenants)).rows[0]?.count
  }
  const signingIn = await server.database.transaction({ tenantId: 'a' }, async (db) => {
    await sql`select from users where id = ${userId} for update`.execute(db)
    await change(db, userId)
    const started = login('a', email, PASSWORD).then((response) => {
      status = response.status
    })
    await expect.poll(async () => status !== undefined || (await countWaiting()) === 1).toBe(true)
    return { started }
  })
  await signingIn.started
  return status
}

test('a password that is replaced while it is compared opens no session', async () => {
  const replacement = await hashPassword('Another-pass-1', toBulkRequester('a'))
  const status = await signInDuring('replaced@mail.example', (db, userId) =>
    db.updateTable('users').set({ password_hash: replacement }).where('id', '=', userId).execute(),
  )
  expect(status).toBe(401)
})

test('a password opens no session if single sign-on became mandatory while it was compared', async () => {
  const status = await signInDuring('late@mail.example', (db) =>
    sql`
      insert into sso_connections
      values ('a', 'https://id.example', 'client', '\\x00', 'openid', 'Sign in', true, true, '[]', 60, 60, now())`.execute(
      db,
    ),
  )
  expect(status).toBe(401)
  await server.database.transaction({ tenantId: 'a' }, (db) => sql`delete from sso_connections`.execute(db))
})
