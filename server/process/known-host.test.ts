import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ TRUST_PROXY: '10.0.0.0/8,192.0.2.7' })
})
afterAll(() => server.close())

const ask = async (domain: string, { from = '127.0.0.1', headers = {} } = {}) =>
  (await server.app.inject({ url: `/known-host?domain=${domain}`, remoteAddress: from, headers })).statusCode

test('a proxy learns which hosts are a tenant’s', async () => {
  expect(await ask('a.example')).toBe(200)
  expect(await ask('A.Example.')).toBe(200)
  for (const unknown of ['unknown.example', 'x.a.example', 'localhost', '127.0.0.1', '', '%00'])
    expect([unknown, await ask(unknown)]).toEqual([unknown, 404])
})

test('only this machine and trusted proxies may ask, and nobody through them', async () => {
  for (const from of ['::1', '::ffff:127.0.0.1', '10.1.2.3', '192.0.2.7'])
    expect([from, await ask('a.example', { from })]).toEqual([from, 200])
  for (const from of ['192.0.2.8', '2001:db8::1']) expect([from, await ask('a.example', { from })]).toEqual([from, 404])
  for (const name of ['x-forwarded-for', 'forwarded'])
    expect(await ask('a.example', { headers: { [name]: '198.51.100.1' } })).toBe(404)
})
