import { afterAll, expect, test } from 'vitest'
import { findMarks } from '../testing/marks.ts'
import { GUESSES_PER_NETWORK, OPENINGS_PER_NETWORK } from './link-limits.ts'
import { purgeShareLinks } from './link-rows.ts'
import { startSharing } from './testing/start-sharing.ts'
import { MAX_WRONG_PASS_PHRASES } from './wrong-pass-phrases.ts'

const DAY_MS = 86_400_000

const { tenants, admin, create, open } = await startSharing()
afterAll(() => tenants.close())

const enter = async (path: string, passPhrase: string, remoteAddress = '127.0.0.1') => {
  const { statusCode, headers, body } = await tenants.app.inject({
    method: 'POST',
    url: path,
    payload: new URLSearchParams({ passPhrase }).toString(),
    remoteAddress,
    headers: { host: 'a.example', 'content-type': 'application/x-www-form-urlencoded' },
  })
  return { status: statusCode, headers, body }
}
const list = async () =>
  (await tenants.call('a', 'GET', '/api/share-links/', { token: admin })).body.links as {
    id: string
    state: string
    opened: number
  }[]

test('the secret is stored nowhere, and each opening is counted', async () => {
  const { id, path } = await create('terminal', tenants.lines.north.line)
  for (let time = 0; time < 3; time++) await open(path)
  const { rows } = await tenants.superuser.query('select share_links::text as row from share_links where id = $1', [id])
  expect(rows[0].row).not.toContain(path.replace(/^.*\//, ''))
  expect((await list()).find((link) => link.id === id)).toMatchObject({ opened: 3, state: 'active' })
})

test('a link ends when it is revoked, when it expires, and with its administrator', async () => {
  const revoked = await create('terminal', tenants.lines.north.line)
  const revoke = () => tenants.call('a', 'DELETE', `/api/share-links/${revoked.id}/`, { token: admin })
  expect((await revoke()).status).toBe(200)
  expect((await revoke()).status).toBe(404)
  expect((await open(revoked.path)).status).toBe(404)
  const { id, path } = await create('terminal', tenants.lines.north.line, { days: 1 })
  const { now } = tenants.clock
  tenants.clock.now = new Date(now.getTime() + DAY_MS + 1)
  expect((await open(path)).status).toBe(404)
  tenants.clock.now = now
  const setRole = (role: string) =>
    tenants.superuser.query('update users set role = $1 where id = $2', [role, tenants.users.admin.id])
  await setRole('user')
  expect((await open(path)).status).toBe(404)
  await setRole('admin')
  expect((await open(path)).status).toBe(200)
  const purge = (days: number) =>
    tenants.database.transaction({ tenantId: 'a' }, (db) =>
      purgeShareLinks(db, 'a', new Date(now.getTime() + days * DAY_MS)),
    )
  await purge(90)
  expect((await list()).some((link) => link.id === id)).toBe(true)
  await purge(92)
  expect((await list()).some((link) => link.id === id)).toBe(false)
})

test('a link ends for good when its administrator is deleted, and not when they move to another group', async () => {
  const userId = await tenants.addUser('a', { email: 'second@mail.example', role: 'admin' })
  const { access: token } = await tenants.signIn('a', 'second@mail.example')
  const body = { kind: 'terminal', subject: tenants.lines.north.line, days: 7, passPhrase: null }
  const { path } = (await tenants.call('a', 'POST', '/api/share-links/', { token, body })).body
  await tenants.superuser.query(`update users set group_name = 'elsewhere' where id = $1`, [userId])
  expect((await open(path)).status).toBe(200)
  const email = 'second@mail.example'
  expect((await tenants.call('a', 'DELETE', `/api/delete-user/${userId}/`, { token: admin })).status).toBe(200)
  expect((await open(path)).status).toBe(404)
  // A new user with the same address is someone else.
  await tenants.addUser('a', { email, role: 'admin' })
  expect((await open(path)).status).toBe(404)
})

test('a pass phrase is needed, and can be tried a few times only', async () => {
  const { path } = await create('terminal', tenants.lines.north.line, { passPhrase: 'under the blue boat' })
  const asked = await open(path)
  expect(asked.body).toContain('Pass phrase')
  expect(findMarks(asked.body)).toEqual([])
  expect((await enter(path, 'under the blue boat')).body).toContain(tenants.lines.north.line)
  const statuses: number[] = []
  for (let time = 0; time < 7; time++) statuses.push((await enter(path, `guess ${time}`)).status)
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
  const paused = await enter(path, 'under the blue boat')
  expect(paused.status).toBe(429)
  expect(Number(paused.headers['retry-after'])).toBeGreaterThan(0)
  // Whoever has the link and not the phrase does not lock out others.
  expect((await enter(path, 'under the blue boat', '198.51.100.7')).status).toBe(200)
})

test('a pass phrase is not guessed from many addresses of a network, nor from many networks', async () => {
  const { path } = await create('terminal', tenants.lines.north.line, { passPhrase: 'under the blue boat' })
  const guess = async (addresses: string[]) => {
    let compared = 0
    for (const address of addresses) if ((await enter(path, 'a guess', address)).status === 403) compared++
    return compared
  }
  const range = (count: number, toAddress: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => toAddress(at))
  expect(await guess(range(30, (at) => `2001:db8:1:${at.toString(16)}::1`))).toBe(20)
  expect(await guess(range(60, (at) => `2001:db8:${(at + 2).toString(16)}::1`))).toBe(30)
})

test('a link ends after too many wrong pass phrases of all time, and its creator gets a mail', async () => {
  const { id, path } = await create('terminal', tenants.lines.north.line, { passPhrase: 'under the blue boat' })
  await tenants.superuser.query('update share_links set wrong_pass_phrases = $1 where id = $2', [
    MAX_WRONG_PASS_PHRASES - 2,
    id,
  ])
  expect((await enter(path, 'a guess', '198.51.100.1')).status).toBe(403)
  expect((await enter(path, 'under the blue boat', '203.0.113.1')).status).toBe(200)
  expect((await enter(path, 'another guess', '198.51.100.2')).status).toBe(403)
  expect((await enter(path, 'under the blue boat', '203.0.113.1')).status).toBe(404)
  expect((await list()).find((link) => link.id === id)?.state).toBe('revoked')
  const { rows } = await tenants.superuser.query(
    "select tenant_id, subject from messages where subject like 'The link to%'",
  )
  expect(rows).toEqual([{ tenant_id: 'a', subject: expect.stringContaining('revoked after 500 wrong pass phrases') }])
})

test('only what exists and a user may see is shared, by administrators', async () => {
  const refuse = async (body: object, token = admin) =>
    (await tenants.call('a', 'POST', '/api/share-links/', { token, body: { days: 7, passPhrase: null, ...body } }))
      .status
  expect(await refuse({ kind: 'terminal', subject: tenants.lines.foreign.line })).toBe(403)
  expect(await refuse({ kind: 'incident', subject: tenants.lines.foreign.incident })).toBe(404)
  expect(await refuse({ kind: 'report', subject: 'nothing' })).toBe(404)
  expect(await refuse({ kind: 'terminal', subject: tenants.lines.north.line, passPhrase: 'short' })).toBe(400)
  for (const passPhrase of ['password', 'Password2026!', 'P@ssw0rd'])
    expect(await refuse({ kind: 'terminal', subject: tenants.lines.north.line, passPhrase })).toBe(400)
  expect(await refuse({ kind: 'terminal', subject: tenants.lines.north.line }, await tenants.users.with.signIn())).toBe(
    403,
  )
  expect((await open('/shared/nothing')).status).toBe(404)
})

test('a link can be opened so often in a minute, by each network, and says how often', async () => {
  const { path } = await create('terminal', tenants.lines.north.line)
  const openFrom = (address: string) =>
    tenants.app.inject({
      method: 'GET',
      url: path,
      remoteAddress: address,
      headers: { host: 'a.example' },
    })
  const first = await openFrom('192.0.2.1')
  expect(first.headers).toMatchObject({
    'ratelimit-limit': String(OPENINGS_PER_NETWORK),
    'ratelimit-remaining': String(OPENINGS_PER_NETWORK - 1),
    'ratelimit-reset': expect.stringMatching(/^\d+$/),
  })
  for (let time = 1; time < OPENINGS_PER_NETWORK; time++) expect((await openFrom('192.0.2.1')).statusCode).toBe(200)
  const refused = await openFrom('192.0.2.1')
  expect([refused.statusCode, refused.headers['ratelimit-remaining']]).toEqual([429, '0'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await openFrom('192.0.2.2')).statusCode).toBe(200)
  const { now } = tenants.clock
  tenants.clock.now = new Date(now.getTime() + 60_000)
  expect((await openFrom('192.0.2.1')).statusCode).toBe(200)
  tenants.clock.now = now
})

test('links cannot be guessed at any rate, and guesses from one network do not lock out others', async () => {
  const { path } = await create('terminal', tenants.lines.north.line)
  const openFrom = async (remoteAddress: string, url: string) =>
    (await tenants.app.inject({ method: 'GET', url, remoteAddress, headers: { host: 'a.example' } })).statusCode
  const guess = (at: number) => `/shared/${String(at).padStart(43, 'A')}`
  const guesses: number[] = []
  for (let at = 0; at < GUESSES_PER_NETWORK + 5; at++) guesses.push(await openFrom('203.0.113.5', guess(at)))
  expect(guesses).toEqual([...Array(GUESSES_PER_NETWORK).fill(404), ...Array(5).fill(429)])
  // Others in the /24 of the address, and in another.
  expect(await openFrom('203.0.113.6', path)).toBe(200)
  expect(await openFrom('192.0.2.77', path)).toBe(200)
  for (let at = 0; at < GUESSES_PER_NETWORK; at++) await openFrom(`203.0.113.${100 + at}`, guess(at))
  expect(await openFrom('203.0.113.6', path)).toBe(429)
  const { now } = tenants.clock
  tenants.clock.now = new Date(now.getTime() + 60_000)
  expect(await openFrom('203.0.113.5', path)).toBe(200)
  tenants.clock.now = now
})
