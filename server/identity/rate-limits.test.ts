import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'
import { consume, type RateLimit, signInLimits, toNetwork } from './rate-limits.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

let users = 0
const addPerson = async (tenant = 'a') => {
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

/** As many wrong tries as it would take minutes to make. */
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

test('a stranger who writes X-Forwarded-For is counted by the address they come from', async () => {
  const email = await addPerson()
  await tryPasswords(email, '192.0.2.1', 10, (index) => `198.51.100.${index + 1}`)
  expect((await login(email, PASSWORD, '192.0.2.1', { 'x-forwarded-for': '198.51.100.99' })).statusCode).toBe(401)
  expect((await login(email, PASSWORD, '192.0.2.2', { 'x-forwarded-for': '192.0.2.1' })).statusCode).toBe(200)
})

test('a proxy that is trusted tells whom it speaks for, and only the nearest stranger counts', async () => {
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

test('right sign-ins count against nobody, however many come from one office', async () => {
  await server.addUser('b', { email: 'busy@mail.example' })
  for (let times = 0; times < 12; times++) await server.signIn('b', 'busy@mail.example')
  const counts = await server.database.transaction({ tenantId: 'b' }, (db) =>
    db.selectFrom('sign_in_attempts').select('attempts').execute(),
  )
  expect(counts.map(({ attempts }) => attempts)).toEqual([0, 0])
})

test('a network that guesses at one account shuts out strangers, not the person where they signed in before', async () => {
  const email = await addPerson()
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
  const email = await addPerson()
  await countMany(signInLimits('nobody@mail.example', '192.0.2.30').address, 99)
  expect((await login(email, PASSWORD, '192.0.2.30')).statusCode).toBe(200)
  await login('nobody@mail.example', 'Wrong-pass-1', '192.0.2.30')
  expect((await login(email, PASSWORD, '192.0.2.30')).statusCode).toBe(401)
})

test('unknown, wrong and locked get the same answer', async () => {
  const email = await addPerson()
  const wrong = await login(email, 'Wrong-pass-1', '192.0.2.40')
  const unknown = await login('nobody@mail.example', 'Wrong-pass-1', '192.0.2.40')
  await tryPasswords(email, '192.0.2.40', 10)
  const locked = await login(email, PASSWORD, '192.0.2.40')
  for (const answer of [unknown, locked]) {
    expect(answer.statusCode).toBe(wrong.statusCode)
    expect(answer.json()).toEqual(wrong.json())
  }
})

test('who tries refresh tokens out is stopped with 429, which costs nobody their session', async () => {
  await addPerson()
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
  const answer = await renew(refresh)
  expect(answer.statusCode).toBe(429)
  expect(answer.headers['retry-after']).toBe('60')
})

test('one person in several tabs at once is signed in in each', async () => {
  const email = await addPerson()
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => login(email, PASSWORD, '192.0.2.60')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
  }
})
