import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyCall, openAccessWalk } from '../testing/access-walk.ts'
import { expectedResponses } from '../testing/expected-responses.ts'
import { type SeededTenants, startSeededTenants } from '../testing/seeded-tenants.ts'
import { startTestServer } from '../testing/server.ts'

let tenants: SeededTenants
let walk: Awaited<ReturnType<typeof openAccessWalk>>
let port: number
beforeAll(async () => {
  tenants = await startSeededTenants()
  walk = await openAccessWalk(tenants)
  // The walk has made it listen.
  port = (tenants.app.server.address() as AddressInfo).port
})
afterAll(() => tenants.close())

/** The browser's cached copy of a list is revalidated by its ETag; no other response is stored. */
const revalidated = ['terminals.list', 'terminals.details']

describe.each(everyCall)('%s', (name, route) => {
  test.each(['anonymous', 'admin'] as const)('stores nothing in a cache for %s', async (caller) => {
    const input = ((await expectedResponses[name]?.input?.(tenants, caller)) ?? {}) as Record<string, unknown>
    const { status, headers } = await walk.callAs(caller, route, input)
    const isRevalidated = status === 200 && revalidated.includes(name)
    expect(headers['cache-control']).toMatch(isRevalidated ? /^private, no-cache$/ : /^no-store\b/)
    expect(String(headers.vary)).toMatch(/x-tenant/)
    expect('etag' in headers).toBe(isRevalidated)
  })
})

test('failures before a call is found are not stored either', async () => {
  for (const path of ['/api/nothing/', '/api/config/'])
    expect((await tenants.call('a', 'POST', path)).headers['cache-control']).toBe('no-store')
})

test.each(['/%61pi/config/', 'http://a.example/api/config/'])(
  'an API response is not stored under the path %s either',
  async (path) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n`)
    const received = await text(socket)
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    expect(received).toMatch(/^cache-control: no-store\r$/m)
    expect(received).toMatch(/^vary: .*x-tenant/m)
  },
)

test.each(['/api/%ff/', '/api/terminals/%E0%A4%A/', '/%E0%A4%A'])(
  'a path that cannot be decoded, %s, has the headers and the format of any other',
  async (path) => {
    const { status, headers, body } = await tenants.call('a', 'GET', path)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    expect(headers['content-security-policy']).toBeDefined()
    if (!path.startsWith('/api/')) return
    expect(status).toBe(404)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toEqual({ error: 'not_found', message: 'There is no such call.', msg: 'There is no such call.' })
  },
)

test('a request that names several hosts is refused, because a proxy may have chosen another one', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /api/config/ HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\nConnection: close\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
})

test('browsers must use TLS only where a trusted proxy reports it', async () => {
  const behind = await startTestServer({ TRUST_PROXY: '10.0.0.0/8' })
  const get = async (remoteAddress: string, protocol: string) =>
    (
      await behind.app.inject({
        url: '/healthz',
        remoteAddress,
        headers: { host: 'a.example', 'x-forwarded-proto': protocol },
      })
    ).headers['strict-transport-security']
  expect(await get('10.0.0.1', 'https')).toBe('max-age=31536000')
  expect(await get('10.0.0.1', 'http')).toBeUndefined()
  expect(await get('192.0.2.1', 'https')).toBeUndefined()
  await behind.close()
})

test('pages may use no camera, microphone or place', async () => {
  const { headers } = await tenants.call('a', 'GET', '/support')
  for (const feature of ['camera', 'microphone', 'geolocation'])
    expect(headers['permissions-policy']).toContain(`${feature}=()`)
})

const production = { DATABASE_URL: 'postgres://app@db.example/x', SECRET_KEY: 'k'.repeat(32) }
const TOKEN = 'a token for metrics'

test('metrics need their token, and without one are for the demo only', async () => {
  const open = await startTestServer(production)
  expect((await open.call('a', 'GET', '/metrics')).body).not.toContain('process_cpu')
  await open.close()
  const guarded = await startTestServer({ ...production, METRICS_TOKEN: TOKEN })
  expect((await guarded.call('a', 'GET', '/metrics')).status).toBe(401)
  expect((await guarded.call('a', 'GET', '/metrics', { token: `${TOKEN}.` })).status).toBe(401)
  expect((await guarded.call('a', 'GET', '/metrics', { token: TOKEN })).body).toContain('process_cpu')
  await guarded.close()
})

test('the description of the API and the contact for security are there as set', async () => {
  const set = await startTestServer({ API_DOCS: '0', SECURITY_CONTACT: 'mailto:security@a.example' })
  for (const path of ['/api/docs', '/api/openapi.json', '/api/docs/scalar.js'])
    expect((await set.call('a', 'GET', path)).status).toBe(404)
  const { status, headers, body } = await set.call('a', 'GET', '/.well-known/security.txt')
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  const expires = Date.parse(/^Expires: (\S+)$/m.exec(body)?.[1] ?? '')
  expect(expires).toBeGreaterThan(set.clock.now.getTime())
  expect(body).toMatch(/^Contact: mailto:security@a\.example$/m)
  await set.close()
  expect((await tenants.call('a', 'GET', '/.well-known/security.txt')).status).toBe(404)
  expect((await tenants.call('a', 'GET', '/api/openapi.json')).status).toBe(200)
})
