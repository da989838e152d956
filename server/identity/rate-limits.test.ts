import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'
import { consume, type RateLimit, signInLimits, toNetwork } from './rate-limits.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let users = 0
const addTarget = async (tenant = 'a') => {
  const email = `target${++users}@mail.example`
  await server.addUser(tenant, { email })
  return email
}

const login = (email: string, password: string, remoteAddress: string, headers: Record<string, string> = {}) =>
  server.app.inject({
    method: 'POST',
    url: '/api/user/login/',
    headers: { host: 'a.example', ...headers },
    remoteAddress,
    payload: { email, password },
  })

/** Counts attempts without making the slow requests. */
const countMany = (limit: RateLimit, times: number) =>
  server.database.transaction({ tenantId: 'a' }, async (db) => {
    for (let index = 0; index < times; index++) await consume(db, 'a', [limit], server.clock.now)
  })

const tryPasswords = async (email: string, address: string, wrong: number, headers?: (index: number) => string) => {
  const codes: number[] = []
  for (let index = 0; index < wrong; index++) {
    const forwarded = headers && { 'x-forwarded-for': headers(index) }
    codes.push((await login(email, 'Wrong-pass-1', address, forwarded)).statusCode)
  }
  return codes
}

test('counts a client that sends X-Forwarded-For by its own address', async () => {
  const email = await addTarget()
  await tryPasswords(email, '192.0.2.1', 10, (index) => `198.51.100.${index + 1}`)
  expect((await login(email, PASSWORD, '192.0.2.1', { 'x-forwarded-for': '198.51.100.99' })).statusCode).toBe(401)
  expect((await login(email, PASSWORD, '192.0.2.2', { 'x-forwarded-for': '192.0.2.1' })).statusCode).toBe(200)
})

test('takes the address from a trusted proxy, and counts only the nearest untrusted one', async () => {
  const behind = await startTestServer({ TRUST_PROXY: '10.0.0.0/8' })
  await behind.addUser('a', { email: 'proxied@mail.example' })
  const from = (forwarded: string, password: string) =>
    behind.app.inject({
      method: 'POST',
      url: '/api/user/login/',
      headers: { host: 'a.example', 'x-forwarded-for': forwarded },
      remoteAddress: '10.0.0.1',
      payload: { email: 'proxied@mail.example', password },
    })
  for (let index = 0; index < 10; index++) await from(`203.0.113.${index}, 198.51.100.7`, 'Wrong-pass-1')
  expect((await from('203.0.113.99, 198.51.100.7', PASSWORD)).statusCode).toBe(401)
  expect((await from('198.51.100.8', PASSWORD)).statusCode).toBe(200)
  await behind.close()
})

test('an IPv6 network counts as one address, and an IPv4 address is the same in both spellings', () => {
  expect(toNetwork('2001:db8:0:1:aaaa::1')).toBe(toNetwork('2001:db8::1:bbbb:0:0:2'))
  expect(toNetwork('2001:db8:0:1::1')).not.toBe(toNetwork('2001:db8:0:2::1'))
  expect(toNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(toNetwork('::1')).toBe('0:0:0:0')
})

test('does not count correct sign-ins, however many come from one office', async () => {
  await server.addUser('b', { email: 'busy@mail.example' })
  for (let times = 0; times < 12; times++) await server.signIn('b', 'busy@mail.example')
  const counts = await server.database.transaction({ tenantId: 'b' }, (db) =>
    db.selectFrom('sign_in_attempts').select('attempts').execute(),
  )
  expect(counts.map(({ attempts }) => attempts)).toEqual([0, 0])
})

test('a network that guesses at one account locks out unknown addresses, not those the user signed in from before', async () => {
  const email = await addTarget()
  expect((await login(email, PASSWORD, '192.0.2.20')).statusCode).toBe(200)
  await countMany(signInLimits(email, '203.0.113.1').account, 50)
  expect((await login(email, PASSWORD, '203.0.113.250')).statusCode).toBe(401)
  expect((await login(email, PASSWORD, '192.0.2.20')).statusCode).toBe(200)
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + 16 * 60_000)
  const later = await login(email, PASSWORD, '203.0.113.250')
  server.clock.now = before
  expect(later.statusCode).toBe(200)
})

test('one address that tries many accounts is stopped', async () => {
  const email = await addTarget()
  await countMany(signInLimits('nobody@mail.example', '192.0.2.30').address, 99)
  expect((await login(email, PASSWORD, '192.0.2.30')).statusCode).toBe(200)
  await login('nobody@mail.example', 'Wrong-pass-1', '192.0.2.30')
  expect((await login(email, PASSWORD, '192.0.2.30')).statusCode).toBe(429)
})

test('unknown, wrong and locked accounts get the same response', async () => {
  const email = await addTarget()
  const wrong = await login(email, 'Wrong-pass-1', '192.0.2.40')
  const unknown = await login('nobody@mail.example', 'Wrong-pass-1', '192.0.2.40')
  await tryPasswords(email, '192.0.2.40', 10)
  const locked = await login(email, PASSWORD, '192.0.2.40')
  for (const response of [unknown, locked]) {
    expect(response.statusCode).toBe(wrong.statusCode)
    expect(response.json()).toEqual(wrong.json())
  }
})

test('stops guesses at refresh tokens with 429 and ends no session', async () => {
  await addTarget()
  const { refresh } = (await login(`target${users}@mail.example`, PASSWORD, '192.0.2.50')).json()
  const renew = (token: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/token/refresh/',
      headers: { host: 'a.example' },
      remoteAddress: '192.0.2.50',
      payload: { refresh: token },
    })
  for (let index = 0; index < 100; index++) expect((await renew(`guess-${index}`)).statusCode).toBe(401)
  const response = await renew(refresh)
  expect(response.statusCode).toBe(429)
  expect(response.headers['retry-after']).toBe('60')
})

test('signs one user in from several tabs at once', async () => {
  const email = await addTarget()
  for (let round = 0; round < 10; round++) {
    const responses = await Promise.all(Array.from({ length: 6 }, () => login(email, PASSWORD, '192.0.2.60')))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
  }
})
