import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CreateToken } from '#contract/api-tokens.ts'
import { createApiToken, parseApiToken } from '../identity/api-token-secret.ts'
import { purgeExpired } from '../process/purge-expired.ts'
import { addApiToken } from '../testing/add-api-token.ts'
import { startOtherProcess } from '../testing/other-process.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
let admin: string
let adminId: number
beforeAll(async () => {
  server = await startTestServer({ TOKEN_REQUESTS_PER_MINUTE: '20' })
  superuser = await server.connectSuperuser()
  adminId = await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
  await server.addUser('b', { email: 'bea@b.example', role: 'admin' })
  admin = (await server.signIn('a', 'ada@a.example')).access
})
afterAll(() => server.close())

let people = 0
const addPerson = async () => {
  const email = `person${++people}@a.example`
  const id = await server.addUser('a', { email })
  return { id, email, session: (await server.signIn('a', email)).access }
}

const form: CreateToken = {
  name: 'Script',
  scopes: ['terminals:read', 'profile:read'],
  expiresInDays: 30,
  networks: [],
}

const createOwn = async (session: string, change: Partial<CreateToken> = {}) => {
  const { status, body } = await server.call('a', 'POST', '/api/my-tokens/', {
    token: session,
    body: { ...form, ...change },
  })
  expect(status, JSON.stringify(body)).toBe(200)
  return { secret: body.token as string, id: body.created.id as string }
}

const createService = async (change: object = {}) => {
  const service = { ...form, name: 'Billing', scopes: ['terminals:read', 'users:read'], role: 'admin', group: 'staff' }
  return server.call('a', 'POST', '/api/api-tokens/', { token: admin, body: { ...service, ...change } })
}

const list = (token: string, headers = {}) => server.call('a', 'GET', '/api/terminals/', { token, headers })

const listEvents = async (kind: string, account: string) =>
  (
    await superuser.query('select actor, details from security_events where kind = $1 and account = $2 order by id', [
      kind,
      account,
    ])
  ).rows

test('a token has a prefix and a checksum, and any change to it is noticed without the database', () => {
  const { token, hint } = createApiToken('acme_north')
  expect(token).toMatch(/^dsb_acme_north_[0-9A-Za-z]{49}$/)
  expect(token.startsWith(hint)).toBe(true)
  expect(parseApiToken(token)?.tenantId).toBe('acme_north')
  for (let at = 0; at < token.length; at++)
    expect(parseApiToken(token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1))).toBeUndefined()
})

test('acts for its owner within its scopes, is shown once and stored as a hash only', async () => {
  const { session, email } = await addPerson()
  const { secret, id } = await createOwn(session)
  expect((await list(secret)).status).toBe(200)
  const who = await server.call('a', 'GET', '/api/verify-token/', { token: secret })
  expect(who.body).toMatchObject({ email, role: 'user' })
  expect(await server.call('a', 'GET', '/api/incidents/', { token: secret })).toMatchObject({
    status: 403,
    body: { error: 'token_scope', message: 'This token lacks the scope incidents:read.' },
  })
  expect(await listEvents('token_refused', email)).toEqual([
    { actor: email, details: { token: 'Script', reason: 'scope' } },
  ])
  const shown = await server.call('a', 'GET', '/api/my-tokens/', { token: session })
  expect(shown.body.tokens).toMatchObject([{ id, name: 'Script', owner: email, lastAddress: '127.0.0.1' }])
  expect(JSON.stringify(shown.body)).not.toContain(secret)
  const { rows } = await superuser.query('select to_jsonb(t)::text as text from api_tokens t where id = $1', [id])
  expect(rows[0].text).not.toContain(secret.slice(-20))
})

test.each([
  ['POST', '/api/my-tokens/'],
  ['GET', '/api/my-sessions/'],
  ['POST', '/api/reset-password/'],
  ['POST', '/api/confirm-password/'],
  ['POST', '/api/logout/'],
  ['PUT', '/api/single-sign-on/'],
  ['POST', '/api/reset-user-factors/1/'],
] as const)('no token may call %s %s', async (method, path) => {
  const { id } = await addPerson()
  const { token } = await addApiToken(superuser, 'a', { userId: id })
  expect(await server.call('a', method, path, { token })).toMatchObject({
    status: 403,
    body: { error: 'token_not_allowed' },
  })
})

test('no token makes an administrator, or sets the password of another', async () => {
  const { token } = await addApiToken(superuser, 'a', { userId: adminId })
  const user = { email: 'new@a.example', username: 'north', customerName: 'N', company: 'C' }
  const created = await server.call('a', 'POST', '/api/create-user/', {
    token,
    body: { ...user, role: 'admin', initialPassword: 'Initial-pass-1' },
  })
  expect(created).toMatchObject({ status: 403, body: { error: 'token_not_allowed' } })
  const { id, email } = await addPerson()
  const update = (change: object) =>
    server.call('a', 'PUT', `/api/update-user/${id}/`, { token, body: { ...user, email, ...change } })
  expect(await update({ initialPassword: 'Another-pass-1' })).toMatchObject({ status: 403 })
  expect(await update({ role: 'admin' })).toMatchObject({ status: 403 })
  const imported = await server.call('a', 'POST', '/api/import-users/', {
    token,
    body: { csv: `email,username,customerName,company,role\n${email},north,N,C,admin\n`, apply: true },
  })
  expect(imported).toMatchObject({ status: 403, body: { error: 'token_not_allowed' } })
  expect((await update({ company: 'Changed' })).status).toBe(200)
  const { body } = await server.call('a', 'GET', '/api/get-logs/', { token: admin })
  expect(JSON.stringify(body)).toContain('"token":"Script"')
})

test('follows its owner at once: demoted, made to change the password, deleted', async () => {
  const { id, email, session } = await addPerson()
  await superuser.query("update users set role = 'admin' where id = $1", [id])
  const { secret } = await createOwn(session, { scopes: ['users:read', 'terminals:read'] })
  const users = () => server.call('a', 'GET', '/api/get-users/', { token: secret })
  expect((await users()).status).toBe(200)
  const update = { email, username: 'north', customerName: 'N', company: 'C', role: 'user' }
  await server.call('a', 'PUT', `/api/update-user/${id}/`, { token: admin, body: update })
  expect((await users()).status).toBe(403)
  await superuser.query('update users set must_change_password = true where id = $1', [id])
  expect(await list(secret)).toMatchObject({ status: 403, body: { error: 'change_password' } })
  await server.call('a', 'DELETE', `/api/delete-user/${id}/`, { token: admin })
  expect((await list(secret)).status).toBe(401)
})

const listMails = async (recipient: string, subject: string) =>
  (await superuser.query('select text from messages where recipient = $1 and subject = $2', [recipient, subject])).rows

test('a password that its owner chose leaves it valid, and the mail and the end of the sessions name it', async () => {
  const { id, email, session } = await addPerson()
  const { secret } = await createOwn(session, { name: 'Nightly export' })
  await addApiToken(superuser, 'a', { userId: id, expiresIn: '-1 day' })
  const changed = await server.call('a', 'POST', '/api/reset-password/', {
    token: session,
    body: { currentPassword: PASSWORD, newPassword: 'Chosen-by-owner-1' },
  })
  expect(changed.status, JSON.stringify(changed.body)).toBe(200)
  expect((await list(secret)).status).toBe(200)
  const [mail] = await listMails(email, 'Your password was changed')
  expect(mail?.text).toContain('API tokens that continue to work: Nightly export')
  const ended = await server.call('a', 'POST', `/api/end-user-sessions/${id}/`, { token: admin })
  expect(ended.body.message).toBe(
    `${email} is signed out everywhere. API tokens that continue to work: Nightly export.`,
  )
  expect((await list(secret)).status).toBe(200)
})

test('a password that an administrator replaced revokes it for good, with an entry, an event and a mail', async () => {
  const { id, email, session } = await addPerson()
  const other = await addPerson()
  const { secret } = await createOwn(session, { name: 'Stolen' })
  const { secret: unaffected } = await createOwn(other.session)
  const reset = await server.call('a', 'PUT', `/api/update-user/${id}/`, {
    token: admin,
    body: { email, username: 'north', customerName: 'N', company: 'C', initialPassword: 'By-admin-1x' },
  })
  expect(reset.status, JSON.stringify(reset.body)).toBe(200)
  expect((await list(secret)).status).toBe(401)
  await superuser.query('update users set must_change_password = false where id = $1', [id])
  expect((await list(secret)).status).toBe(401)
  expect((await list(unaffected)).status).toBe(200)
  expect(await listEvents('token_revoked', email)).toEqual([{ actor: 'ada@a.example', details: { token: 'Stolen' } }])
  const [mail] = await listMails(email, 'An administrator replaced your password')
  expect(mail?.text).toContain('Revoked API tokens: Stolen')
  const { body } = await server.call('a', 'GET', '/api/get-logs/', { token: admin })
  expect(JSON.stringify(body)).toContain('token.revoke')
})

test('is refused when it is revoked, in every process, expired, or used at another tenant', async () => {
  const other = await startOtherProcess(server)
  const { id, email, session } = await addPerson()
  const { secret, id: tokenId } = await createOwn(session)
  expect((await server.call('b', 'GET', '/api/terminals/', { token: secret })).status).toBe(401)
  expect((await list(secret)).status).toBe(200)
  expect(await other.get('/api/terminals/', secret)).toBe(200)
  expect((await server.call('a', 'DELETE', `/api/my-tokens/${tokenId}/`, { token: admin })).status).toBe(404)
  expect((await server.call('a', 'DELETE', `/api/my-tokens/${tokenId}/`, { token: session })).status).toBe(200)
  expect((await list(secret)).status).toBe(401)
  expect(await other.get('/api/terminals/', secret)).toBe(401)
  await other.close()
  expect(await listEvents('token_revoked', email)).toEqual([{ actor: email, details: { token: 'Script' } }])
  // Each process records it once a minute; records within an hour are folded into one row.
  expect(await listEvents('token_refused', email)).toEqual([
    { actor: email, details: { token: 'Script', reason: 'revoked' } },
  ])
  const expired = await addApiToken(superuser, 'a', { userId: id, expiresIn: '-1 day' })
  expect((await list(expired.token)).status).toBe(401)
  expect((await list(createApiToken('a').token)).status).toBe(401)
})

test('may be used from its addresses only, and a new address is recorded', async () => {
  const proxied = await startTestServer({ TRUST_PROXY: '127.0.0.1' })
  const email = 'away@a.example'
  await proxied.addUser('a', { email })
  const { access } = await proxied.signIn('a', email)
  const create = (networks: string[]) =>
    proxied.call('a', 'POST', '/api/my-tokens/', { token: access, body: { ...form, networks } })
  expect((await create(['192.0.2.0/33'])).status).toBe(400)
  const bound = (await create(['192.0.2.0/24', '2001:db8::/32'])).body.token
  const free = (await create([])).body.token
  const from = async (token: string, address: string) =>
    (await proxied.call('a', 'GET', '/api/terminals/', { token, headers: { 'x-forwarded-for': address } })).status
  expect(await from(bound, '192.0.2.77')).toBe(200)
  expect(await from(bound, '2001:db8:7::1')).toBe(200)
  expect(await from(bound, '::ffff:192.0.2.77')).toBe(200)
  expect(await from(bound, '198.51.100.7')).toBe(403)
  expect(await from(free, '198.51.100.7')).toBe(200)
  expect(await from(free, '198.51.100.7')).toBe(200)
  expect(await from(free, '203.0.113.9')).toBe(200)
  const client = new pg.Client(proxied.superuser)
  await client.connect()
  const { rows } = await client.query(
    "select kind, address from security_events where kind like 'token_%' and kind <> 'token_created' order by id",
  )
  await client.end()
  await proxied.close()
  expect(rows).toEqual([
    { kind: 'token_new_address', address: '2001:db8:7::1' },
    { kind: 'token_refused', address: '198.51.100.7' },
    { kind: 'token_new_address', address: '203.0.113.9' },
  ])
})

test('limits the requests of each token in a minute, and says how many are left', async () => {
  const { session } = await addPerson()
  const { secret } = await createOwn(session)
  const other = await createOwn(session)
  const first = await list(secret)
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '20', 'ratelimit-remaining': '19' })
  const rest = await Promise.all(Array.from({ length: 24 }, () => list(secret)))
  expect(rest.filter(({ status }) => status === 200)).toHaveLength(19)
  const refused = rest.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(5)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused[0]?.headers['ratelimit-remaining']).toBe('0')
  expect((await list(other.secret)).status).toBe(200)
  server.clock.now = new Date(server.clock.now.getTime() + 60_000)
  expect((await list(secret)).status).toBe(200)
})

test('requests that were counted by a clock that was ahead limit nothing once it is set back', async () => {
  const { secret } = await createOwn((await addPerson()).session)
  const present = server.clock.now
  server.clock.now = new Date(present.getTime() + 86_400_000)
  for (let at = 0; at < 20; at++) expect((await list(secret)).status).toBe(200)
  expect((await list(secret)).status).toBe(429)
  server.clock.now = present
  expect((await list(secret)).status).toBe(200)
})

test('a service has a role, a group and permissions of its own, and cannot sign in or be changed like a user', async () => {
  const { status, body } = await createService({ role: 'user', group: 'north', name: 'Import' })
  expect(status).toBe(200)
  expect(body.created).toMatchObject({ name: 'Import', owner: '', role: 'user', group: 'north' })
  expect((await list(body.token)).status).toBe(200)
  expect((await server.call('a', 'GET', '/api/get-users/', { token: body.token })).status).toBe(403)
  const matrix = await server.call('a', 'GET', '/api/acp/matrix/', { token: admin })
  const account = matrix.body.users.find(({ full_name }: { full_name: string }) => full_name === 'Import')
  expect(account).toMatchObject({ email: 'service:Import', role: 'user' })
  const users = await server.call('a', 'GET', '/api/get-users/', { token: admin })
  expect(JSON.stringify(users.body)).not.toContain('service:Import')
  for (const [method, path] of [
    ['DELETE', `/api/delete-user/${account.id}/`],
    ['POST', `/api/end-user-sessions/${account.id}/`],
    ['POST', `/api/erase-user/${account.id}/`],
  ] as const)
    expect((await server.call('a', method, path, { token: admin })).status).toBe(404)
  const grant = { user_id: account.id, item_code: 'plan_manager', value: 'true' }
  expect((await server.call('a', 'PATCH', '/api/acp/value/', { token: admin, body: grant })).status).toBe(200)

  const second = await createService({ role: 'user', group: 'north', name: 'Import', scopes: ['plans:read'] })
  expect((await server.call('a', 'GET', '/api/virtual-plan/', { token: second.body.token })).status).toBe(200)
  expect((await createService({ role: 'admin', group: 'north', name: 'import' })).status).toBe(409)

  for (const { created } of [body, second.body])
    await server.call('a', 'DELETE', `/api/api-tokens/${created.id}/`, { token: admin })
  expect((await list(body.token)).status).toBe(401)
  const anew = await createService({ role: 'user', group: 'north', name: 'Import', scopes: ['plans:read'] })
  expect((await server.call('a', 'GET', '/api/virtual-plan/', { token: anew.body.token })).status).toBe(403)
})

test('an administrator sees and revokes the tokens of all users of the tenant; a user does not', async () => {
  const { session, email } = await addPerson()
  const { secret, id } = await createOwn(session)
  const all = await server.call('a', 'GET', '/api/api-tokens/', { token: admin })
  expect(all.body.tokens.map(({ owner }: { owner: string }) => owner)).toContain(email)
  expect((await server.call('a', 'GET', '/api/api-tokens/', { token: session })).status).toBe(403)
  const foreign = (await server.signIn('b', 'bea@b.example')).access
  expect((await server.call('b', 'DELETE', `/api/api-tokens/${id}/`, { token: foreign })).status).toBe(404)
  expect((await server.call('a', 'DELETE', `/api/api-tokens/${id}/`, { token: admin })).status).toBe(200)
  expect((await list(secret)).status).toBe(401)
})

test('an administrator who is a service does not count as one who is left', async () => {
  await createService({ name: 'Root' })
  const remove = await server.call('a', 'DELETE', `/api/delete-user/${adminId}/`, { token: admin })
  expect(remove.status).toBe(409)
})

test('the creation asks for the password again, and its owner learns of it by mail', async () => {
  const { session, email, id } = await addPerson()
  await superuser.query("update sessions set confirmed_at = 'epoch' where user_id = $1", [id])
  expect(await server.call('a', 'POST', '/api/my-tokens/', { token: session, body: form })).toMatchObject({
    status: 403,
    body: { error: 'reauthenticate' },
  })
  await superuser.query('update sessions set confirmed_at = now() where user_id = $1', [id])
  await createOwn(session)
  const { rows } = await superuser.query('select subject from messages where recipient = $1', [email])
  expect(rows.map(({ subject }) => subject)).toContain('The API token “Script” was created for your account')
})

test('ended tokens are deleted a month later, and services without a token with them', async () => {
  const { id } = await addPerson()
  await addApiToken(superuser, 'a', { userId: id, expiresIn: '-31 days' })
  const valid = await addApiToken(superuser, 'a', { userId: id })
  const { body } = await createService({ name: 'Gone' })
  await superuser.query("update api_tokens set revoked_at = now() - interval '31 days' where id = $1", [
    body.created.id,
  ])
  await superuser.query("update users set created_at = now() - interval '40 days' where email = 'service:Gone'")
  await purgeExpired(server.database, 'a', new Date(), server.services.config.retention)
  const { rows } = await superuser.query('select id from api_tokens where user_id = $1', [id])
  expect(rows).toEqual([{ id: valid.id }])
  expect((await superuser.query("select from users where email = 'service:Gone'")).rowCount).toBe(0)
})
