import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carriesBody, pathNames } from '#contract/route.ts'
import { configureTenant } from '../../tenants/configure-tenant.ts'
import { everyCall } from '../../testing/access-walk.ts'
import { startTestServer, type TestServer } from '../../testing/server.ts'
import { countNames } from './json-body.ts'

let server: TestServer
let port: number
beforeAll(async () => {
  server = await startTestServer()
  for (const tenant of ['a', 'b']) await server.addUser(tenant, { email: 'boss@mail.example', role: 'admin' })
  await server.app.listen({ host: '127.0.0.1', port: 0 })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server.close())

/** The status of a request that announces a body and never sends it. */
const sendWithoutBody = async (
  path: string,
  { host = 'a.example', method = 'POST', length = 'Content-Length: 10000', type = 'application/json' } = {},
) => {
  const socket = connect(port, '127.0.0.1')
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`)
  const [received] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return Number(String(received).split(' ')[1])
}

describe('a compressed body', () => {
  const bomb = Buffer.from(`{"email":"${' '.repeat(1024 * 1024)}"}`)
  test.each([
    ['br', brotliCompressSync(bomb)],
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['zstd', zstdCompressSync(bomb)],
    ['x-gzip', gzipSync(bomb)],
    ['gzip, br', brotliCompressSync(gzipSync(bomb))],
  ])('is refused: %s', async (encoding, payload) => {
    for (const [, route] of everyCall.filter(([, { method }]) => carriesBody(method))) {
      const response = await server.app.inject({
        method: route.method,
        url: `/api${route.path.replace(/:(\w+)/g, '1')}`,
        headers: { host: 'a.example', 'content-type': 'application/json', 'content-encoding': encoding },
        payload,
      })
      expect([route.path, response.statusCode]).toEqual([route.path, 415])
      expect(response.json()).toMatchObject({ error: 'unsupported' })
    }
  })
  test('is not one that names the encoding identity', async () => {
    const headers = { 'content-encoding': 'identity' }
    const body = { email: 'nobody@mail.example', password: 'Wrong-pass-1' }
    expect((await server.call('a', 'POST', '/api/user/login/', { headers, body })).status).toBe(401)
  })
})

describe('the names in a body', () => {
  const build = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":0`).join(',')}}`
  test('are counted as JSON reads them', () => {
    const text = fc.string({ unit: 'binary' })
    const countIn = (value: unknown): number =>
      typeof value !== 'object' || value === null
        ? 0
        : Object.values(value).reduce(
            (sum: number, each) => sum + countIn(each),
            Array.isArray(value) ? 0 : Object.keys(value).length,
          )
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.tuple(text, text)), (value, entries) => {
        const sent = [value, Object.fromEntries(entries.filter(([name]) => name !== '__proto__')), '\\":"']
        expect(countNames(JSON.stringify(sent, null, 1))).toBe(countIn(sent))
      }),
    )
  })
  test('of a visitor are limited on every call that visitors may send one to', async () => {
    const open = everyCall.filter(
      ([, { method, access }]) => carriesBody(method) && ['public', 'optional'].includes(String(access)),
    )
    expect(open.length).toBeGreaterThan(3)
    for (const [, route] of open) {
      const response = await server.app.inject({
        method: route.method,
        url: `/api${route.path}`,
        headers: { host: 'a.example', 'content-type': 'application/json' },
        payload: build(301),
      })
      expect([route.path, response.statusCode, response.json().message]).toEqual([
        route.path,
        400,
        expect.stringContaining('too many fields'),
      ])
    }
  })
  test('of a user are not', async () => {
    const { access: token } = await server.signIn('a', 'boss@mail.example')
    const lines = Array.from({ length: 1_500 }, () => ({ x: 0 }))
    const { body } = await server.call('a', 'POST', '/api/import-users/', { token, body: { csv: '', lines } })
    expect(body.message).toContain('lines')
  })
})

describe('the size of a body', () => {
  const send = (path: string, body: object, token?: string) =>
    server.call('a', 'POST', path, { body, ...(token && { token }) })
  test('is 16 KiB at most where the contract says nothing else', async () => {
    const fitting = { email: 'nobody@mail.example', password: 'x', tenant: 'x'.repeat(16_000) }
    expect((await send('/api/user/login/', fitting)).status).toBe(400)
    expect((await send('/api/user/login/', { ...fitting, tenant: 'x'.repeat(17_000) })).status).toBe(413)
  })
  test('is what the contract says elsewhere', async () => {
    const ticket = { name: 'N', email: 'a@mail.example', message: '漢'.repeat(10_000) }
    expect((await send('/api/ticket/', ticket)).status).not.toBe(413)
    const { access } = await server.signIn('a', 'boss@mail.example')
    const csv = 'email,username,customerName,company,role,initialPassword\n'
    expect((await send('/api/import-users/', { csv: csv.padEnd(700_000, ' ') }, access)).status).not.toBe(413)
    expect((await send('/api/import-users/', { csv: csv.padEnd(1_100_000, ' ') }, access)).status).toBe(413)
  })
})

describe('the ticket of a visitor', () => {
  test('is 64 KiB at most, which the longest message fits into, and that of a user is longer', async () => {
    const ticket = { name: 'N'.repeat(200), email: 'a@mail.example', message: '\u0001'.repeat(10_000) }
    const exchange = { question: '漢'.repeat(500), answer: '漢'.repeat(5_000) }
    const talk = { ...ticket, conversation: Array.from({ length: 20 }, () => exchange) }
    const send = (body: object, token?: string) =>
      server.call('a', 'POST', '/api/ticket/', { body, ...(token && { token }) })
    expect((await send(ticket)).status).not.toBe(413)
    expect(await send(talk)).toMatchObject({ status: 413, body: { error: 'too_large' } })
    const { access } = await server.signIn('a', 'boss@mail.example')
    expect((await send(talk, access)).status).not.toBe(413)
  })
  test('is refused before it is read if it is too long or of unknown length', async () => {
    expect(await sendWithoutBody('/api/ticket/', { length: `Content-Length: ${64 * 1024 + 1}` })).toBe(413)
    expect(await sendWithoutBody('/api/ticket/', { length: 'Transfer-Encoding: chunked' })).toBe(411)
  })
})

describe('before the body is read', () => {
  const withBody = everyCall.filter(([, { method }]) => carriesBody(method))
  const forVisitors = withBody.filter(([, { access }]) => access === 'public' || access === 'optional')
  test.each(forVisitors)('%s takes JSON only', async (_name, { path, method }) => {
    for (const type of ['text/plain', 'application/octet-stream', 'multipart/form-data'])
      expect(await sendWithoutBody(`/api${path}`, { method, type })).toBe(415)
  })
  const withToken = withBody.filter(([, { access }]) => access !== 'public' && access !== 'optional')
  test.each(withToken)('%s requires a session', async (_name, { path, method }) => {
    expect(await sendWithoutBody(`/api${path.replace(/:(\w+)/g, '1')}`, { method })).toBe(401)
  })
  test.each(withBody)('%s requires a known host', async (_name, { path, method }) => {
    expect(await sendWithoutBody(`/api${path.replace(/:(\w+)/g, '1')}`, { method, host: 'c.example' })).toBe(404)
  })
  // A refresh token is looked up first: the guesses of others must not sign out whoever has a valid one.
  test.each(['/api/user/login/', '/api/verify-otp/', '/api/ticket/', '/api/assistant/'])(
    '%s asks whether the network has tries left',
    async (path) => {
      await server.database.transaction({ tenantId: 'a' }, (db) =>
        configureTenant(
          db,
          'a',
          { performer: 'test', now: new Date() },
          {
            config: { ticket: 'email', chatbotEnabled: true },
            faq: [],
            widgetOrigins: [],
          },
        ),
      )
      const body = {
        '/api/user/login/': { email: 'nobody@mail.example', password: 'Wrong-pass-1' },
        '/api/verify-otp/': { email: 'nobody@mail.example', otp: '123456' },
        '/api/ticket/': { name: 'N', email: 'nobody@mail.example', message: 'Help' },
        '/api/assistant/': { question: 'Who?' },
      }[path] as object
      await server.call('a', 'POST', path, { body })
      const pauseUntil = (moment: Date) =>
        server.database.transaction({ tenantId: 'a' }, async (db) => {
          await db.updateTable('rate_limits').set({ paused_until: moment }).execute()
          // For a known network the account decides, and the account is named in the body.
          await db.updateTable('sessions').set({ network: '' }).execute()
        })
      await pauseUntil(new Date(server.clock.now.getTime() + 60_000))
      expect(await sendWithoutBody(path)).toBe(429)
      await pauseUntil(new Date(0))
    },
  )
})

test('a name in the path may be repeated in the body only with the same value', async () => {
  const { access } = await server.signIn('a', 'boss@mail.example')
  const named = everyCall.filter(([, { method, path }]) => carriesBody(method) && pathNames(path).length > 0)
  for (const [, { method, path }] of named)
    for (const value of ['{"toString":1}', `${'['.repeat(7_000)}${']'.repeat(7_000)}`]) {
      const response = await server.app.inject({
        method,
        url: `/api${path.replace(/:(\w+)/g, '1')}`,
        headers: { host: 'a.example', 'content-type': 'application/json', authorization: `Bearer ${access}` },
        payload: `{"${pathNames(path)[0]}":${value}}`,
      })
      expect([path, response.statusCode]).toEqual([path, 400])
    }
})

test('headers are read up to 8 KiB', async () => {
  const get = async (bytes: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET /healthz HTTP/1.1\r\nHost: a.example\r\nX-Long: ${'x'.repeat(bytes)}\r\n\r\n`)
    const [received] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return Number(String(received).split(' ')[1])
  }
  expect(await get(7_000)).toBe(200)
  expect(await get(9_000)).toBe(431)
})

test('a tenant name that no database could hold is unknown, wherever it is sent', async () => {
  const headers = { host: 'localhost' }
  expect((await server.call('a', 'GET', '/api/config/?tenant=%00', { headers })).status).toBe(404)
  expect((await server.call('a', 'GET', '/?tenant=%00', { headers })).status).toBe(404)
  const body = { email: 'a@mail.example', password: 'x', tenant: 'a\0' }
  expect((await server.call('a', 'POST', '/api/user/login/', { headers, body })).status).toBe(404)
})
