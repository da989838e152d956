import { afterAll, beforeAll, expect, test } from 'vitest'
import { setTestHashing } from '../testing/hashing.ts'
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts'
import { setHashing } from './passwords.ts'
import { consume, type RateLimit, toKeys, trimRateLimits } from './rate-limits.ts'
import { listNetworkLimits, listSignInLimits } from './sign-in-limits.ts'

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
const countMany = (limits: readonly RateLimit[], times: number) =>
  server.database.transaction({ tenantId: 'a' }, async (db) => {
    for (let index = 0; index < times; index++) await consume(db, 'a', limits, server.clock.now)
  })

/** Attempts from as many different networks: they share only the account's limit. */
const countFromEverywhere = async (email: string, times: number) => {
  for (let index = 0; index < times; index++) await countMany(listSignInLimits(email, `100.64.${index}.1`, false), 1)
}

/** Advances the clock while some work runs. */
const later = async <T>(seconds: number, work: () => Promise<T>) => {
  const before = server.clock.now
  server.clock.now = new Date(before.getTime() + seconds * 1000)
  try {
    return await work()
  } finally {
    server.clock.now = before
  }
}

test('a pause that began while the clock was ahead ends when it is corrected', async () => {
  const limit: RateLimit = { key: 'ahead', free: 1, firstPauseSeconds: 60, drainSeconds: 60 }
  await later(86_400, () => countMany([limit], 1))
  await later(86_400, () => expect(countMany([limit], 1)).rejects.toMatchObject({ status: 429 }))
  await countMany([limit], 1)
  await expect(countMany([limit], 1)).rejects.toMatchObject({ status: 429 })
})

test('a network that was paused while the clock was ahead may sign in when it is corrected', async () => {
  const address = '203.0.113.77'
  const limits = listNetworkLimits(address)
  await later(86_400, () => countMany(limits, limits[0]?.free as number))
  const email = await addTarget()
  expect((await later(86_400, () => login(email, PASSWORD, address))).statusCode).toBe(429)
  expect((await login(email, PASSWORD, address)).statusCode).toBe(200)
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
  expect((await login(email, PASSWORD, '192.0.2.1', { 'x-forwarded-for': '198.51.100.99' })).statusCode).toBe(429)
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
  expect((await from('203.0.113.99, 198.51.100.7', PASSWORD)).statusCode).toBe(429)
  expect((await from('198.51.100.8', PASSWORD)).statusCode).toBe(200)
  await behind.close()
})

test('does not count correct sign-ins, however many come from one office', async () => {
  await server.addUser('b', { email: 'busy@mail.example' })
  for (let times = 0; times < 12; times++) await server.signIn('b', 'busy@mail.example')
  const rows = await server.database.transaction({ tenantId: 'b' }, (db) =>
    db
      .selectFrom('rate_limits')
      .select('level')
      .where('level', '>', 0)
      .where('key', 'in', toKeys(listSignInLimits('busy@mail.example', '127.0.0.1', false)))
      .execute(),
  )
  expect(rows).toEqual([])
})

test('many wrong tries from one address lock out neither a new address nor a known one', async () => {
  const email = await addTarget()
  expect((await login(email, PASSWORD, '192.0.2.20')).statusCode).toBe(200)
  const codes = await tryPasswords(email, '203.0.113.5', 56)
  expect(codes).toEqual([...Array(10).fill(401), ...Array(46).fill(429)])
  expect((await login(email, PASSWORD, '198.51.100.20')).statusCode).toBe(200)
  expect((await login(email, PASSWORD, '192.0.2.20')).statusCode).toBe(200)
})

test('the pause grows with each further try, up to 15 minutes, and says how long it is', async () => {
  const email = await addTarget()
  await tryPasswords(email, '203.0.113.6', 10)
  const pauses: number[] = []
  let waited = 0
  for (let round = 0; round < 10; round++) {
    const refused = await later(waited, () => login(email, 'Wrong-pass-1', '203.0.113.6'))
    expect(refused.statusCode).toBe(429)
    pauses.push(Number(refused.headers['retry-after']))
    waited += pauses.at(-1) as number
    expect((await later(waited, () => login(email, 'Wrong-pass-1', '203.0.113.6'))).statusCode).toBe(401)
  }
  expect(pauses.slice(0, 4)).toEqual([5, 10, 20, 40])
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other))
  expect(pauses.at(-1)).toBeLessThanOrEqual(900)
  const message = (await later(waited, () => login(email, PASSWORD, '203.0.113.6'))).json().message
  expect(message).toMatch(/^Too many tries\. Please wait \d+ minutes and try again\.$/)
})

test('unknown accounts and existing ones get the same response, before and during a pause', async () => {
  const email = await addTarget()
  const responses = []
  for (const [account, address] of [
    [email, '192.0.2.40'],
    ['nobody@mail.example', '192.0.2.41'],
  ] as const) {
    const wrong = await login(account, 'Wrong-pass-1', address)
    await tryPasswords(account, address, 9)
    const paused = await login(account, PASSWORD, address)
    responses.push([wrong, paused].map(({ statusCode, headers, body }) => [statusCode, headers['retry-after'], body]))
  }
  expect(responses[0]).toEqual(responses[1])
  expect(responses[0]?.map(([status, retryAfter]) => [status, retryAfter])).toEqual([
    [401, undefined],
    [429, '5'],
  ])
})

test('guesses from everywhere leave strangers one try in 30 seconds, and the user’s own network is free', async () => {
  const email = await addTarget()
  expect((await login(email, PASSWORD, '192.0.2.25')).statusCode).toBe(200)
  await countFromEverywhere(email, 50)
  const paused = await login(email, PASSWORD, '203.0.113.250')
  expect([paused.statusCode, paused.headers['retry-after']]).toEqual([429, '5'])
  expect((await login(email, PASSWORD, '192.0.2.25')).statusCode).toBe(200)
  expect((await later(31, () => login(email, PASSWORD, '203.0.113.250'))).statusCode).toBe(200)
})

test('one address that tries many accounts is stopped, and users who signed in from there before are not', async () => {
  const [regular, other] = [await addTarget(), await addTarget()]
  expect((await login(regular, PASSWORD, '192.0.2.30')).statusCode).toBe(200)
  for (let index = 0; index < 100; index++)
    await countMany(listSignInLimits(`nobody${index}@mail.example`, '192.0.2.30', false), 1)
  expect((await login(other, PASSWORD, '192.0.2.30')).statusCode).toBe(429)
  expect((await login(regular, PASSWORD, '192.0.2.30')).statusCode).toBe(200)
})

test('a /48 of IPv6 and a /24 of IPv4 have a limit of their own, below that of the account', async () => {
  const email = await addTarget()
  for (const [count, toAddress] of [
    [30, (index: number) => `2001:db8:1:${(index * 256).toString(16)}::1`],
    [20, (index: number) => `2001:db8:2:${index.toString(16)}::1`],
    [20, (index: number) => `203.0.114.${index}`],
  ] as const) {
    const target = await addTarget()
    for (let index = 0; index < count; index++) await countMany(listSignInLimits(target, toAddress(index), false), 1)
    expect((await login(target, PASSWORD, toAddress(count))).statusCode).toBe(429)
    expect((await login(target, PASSWORD, '198.51.100.30')).statusCode).toBe(200)
  }
  expect((await login(email, PASSWORD, '2001:db8:2:ffff::1')).statusCode).toBe(200)
})

test('an attempt that the queue of password checks refuses does not count', async () => {
  const email = await addTarget()
  setHashing({ maxConcurrent: 0, maxWaiting: 0 })
  const codes = await tryPasswords(email, '192.0.2.70', 12)
  setTestHashing()
  expect(codes).toEqual(Array(12).fill(503))
  expect((await login(email, PASSWORD, '192.0.2.70')).statusCode).toBe(200)
})

test('the rows of a tenant are bounded, and the longest pauses stay', async () => {
  const limit = (name: string) => ({ key: name, free: 2, firstPauseSeconds: 5, drainSeconds: 60 })
  const names = await server.database.transaction({ tenantId: 'b' }, async (db) => {
    const { now } = server.clock
    await trimRateLimits(db, 'b', now, 0)
    for (let index = 0; index < 30; index++) await consume(db, 'b', [limit(`once ${index}`)], now)
    for (let times = 0; times < 2; times++) await consume(db, 'b', [limit('guessed')], now)
    await trimRateLimits(db, 'b', now, 10)
    const retained = await db.selectFrom('rate_limits').select('level').orderBy('level', 'desc').execute()
    await trimRateLimits(db, 'b', new Date(now.getTime() + 120_000), 10)
    return [retained.map(({ level }) => level), await db.selectFrom('rate_limits').select('key').execute()]
  })
  expect(names).toEqual([[2, ...Array(9).fill(1)], []])
})

test('stops guesses at refresh tokens with 429, and renews the sessions of others in that network', async () => {
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
  const response = await renew('another guess')
  expect(response.statusCode).toBe(429)
  expect(response.headers['retry-after']).toBe('9')
  expect((await renew(refresh)).statusCode).toBe(200)
})

test('signs one user in from several tabs at once', async () => {
  const email = await addTarget()
  for (let round = 0; round < 10; round++) {
    const responses = await Promise.all(Array.from({ length: 6 }, () => login(email, PASSWORD, '192.0.2.60')))
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
  }
})
