import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../../process/app.ts'
import { PASSWORD, startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let app: Awaited<ReturnType<typeof createApp>>
let userId: number
let written = ''

beforeAll(async () => {
  server = await startTestServer()
  userId = await server.addUser('a', { email: 'bob@a.example' })
  const sink = new Writable({
    write: (chunk, _, done) => {
      written += chunk
      done()
    },
  })
  app = await createApp(server.services, pino({ level: 'trace' }, sink), {
    maxEventLoopDelayMs: Number.POSITIVE_INFINITY,
  })
})
afterAll(async () => {
  await app.close()
  await server.close()
})

const host = 'a.example'
const takeLines = () => {
  const lines = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'request')
  written = ''
  return lines
}

test('each call is one line with request id, tenant, user, route, status and duration', async () => {
  const { access } = await server.signIn('a', 'bob@a.example')
  written = ''
  const headers = { host, authorization: `Bearer ${access}` }
  await app.inject({ url: '/api/verify-token/', headers })
  await app.inject({ method: 'DELETE', url: '/api/delete-user/123/', headers })
  await app.inject({ url: '/api/no-such-call/', headers })
  const ids = { reqId: expect.any(String), ms: expect.any(Number) }
  expect(takeLines()).toMatchObject([
    { ...ids, tenant: 'a', user: userId, method: 'GET', route: '/api/verify-token/', status: 200 },
    { ...ids, method: 'DELETE', route: '/api/delete-user/:user_id/', status: 403 },
    { ...ids, method: 'GET', status: 404 },
  ])
})

test('no secret gets into the log, wherever a request carries it', async () => {
  const { access, refresh } = await server.signIn('a', 'bob@a.example')
  written = ''
  const secret = 'S3cret-that-nobody-may-log'
  const headers = {
    host,
    authorization: `Bearer ${access}`,
    cookie: `session=${secret}`,
    'x-api-key': secret,
    'user-agent': secret,
    'idempotency-key': secret,
    referer: `http://a.example/?token=${secret}`,
  }
  const login = (payload: object) => ({ method: 'POST' as const, url: '/api/user/login/', headers: { host }, payload })
  const requests = [
    { url: '/api/verify-token/', headers },
    { url: '/api/verify-token/', headers: { host, authorization: `Bearer ${secret}` } },
    { url: `/api/verify-token/?token=${secret}&tenant=${secret}`, headers },
    { url: `/api/terminals/${secret}/15/`, headers },
    { url: `/api/${secret}/`, headers },
    { url: `/${secret}?password=${secret}`, headers },
    { url: `/api/get-logs/?before=${secret}`, headers },
    { method: 'POST' as const, url: '/api/token/refresh/', headers: { host }, payload: { refresh } },
    { method: 'POST' as const, url: '/api/verify-otp/', headers: { host }, payload: { email: secret, otp: secret } },
    login({ email: 'bob@a.example', password: PASSWORD }),
    login({ email: 'bob@a.example', password: secret }),
    login({ email: 'bob@a.example', password: secret, [secret]: secret }),
    { ...login({}), headers: { host, 'content-type': 'application/json' }, payload: `{"password":"${secret}` },
    { ...login({}), headers: { host, 'content-type': secret }, payload: secret },
  ]
  for (const request of requests) await app.inject(request)
  for (const each of [secret, PASSWORD, access, refresh]) expect(written).not.toContain(each)
  expect(takeLines()).toHaveLength(requests.length)
})
