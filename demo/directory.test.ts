import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { demo } from '#contract/demo.ts'
import { createApp } from '#server/process/app.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { registerDirectory } from './directory.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  registerDirectory(server.app, server.services, () => 0.25)
})
afterAll(() => server.close())

interface Options {
  host?: string
  from?: string
  headers?: Record<string, string>
}

const get = ({ host = 'localhost:8080', from = '127.0.0.1', headers }: Options = {}, app = server.app) =>
  app.inject({ url: '/api/demo/', headers: { host, ...headers }, remoteAddress: from })

test('lists the users of each reseller to the user of this machine', async () => {
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
    const response = await get({ host })
    expect(response.statusCode).toBe(200)
    const { tenants, historyShare } = z.decode(demo.directory.output, response.json())
    expect(historyShare).toBe(0.25)
    expect(tenants.map(({ id }) => id)).toEqual(['dishboard', 'microcom', 'company3'])
    for (const { id, users } of tenants) {
      expect(users[0]).toMatchObject({ email: `admin@${id}.example`, role: 'admin', signIn: 'password' })
      expect(users.map(({ signIn }) => signIn)).toContain('code')
    }
  }
})

test('is not found from other machines, whatever their headers say', async () => {
  const forged = { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' }
  for (const from of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', '10.127.0.1'])
    for (const headers of [{}, forged]) expect((await get({ from, headers })).statusCode).toBe(404)
})

test('is not found through a proxy on this machine, under the name of a portal, and under a foreign name', async () => {
  expect((await get({ headers: { 'x-forwarded-for': '192.0.2.1' } })).statusCode).toBe(404)
  for (const host of ['a.example', 'evil.example', 'localhost.evil.example'])
    expect((await get({ host })).statusCode).toBe(404)
})

test('is not found through a proxy on this machine that adds no header, as nginx by default', async () => {
  const url = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }))
  const ask = async (version: string) => {
    const socket = connect(Number(url.port), url.hostname)
    socket.write(`GET /api/demo/ HTTP/${version}\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`)
    return (await text(socket)).split('\r\n', 1)[0]
  }
  expect(await ask('1.1')).toBe('HTTP/1.1 200 OK')
  expect(await ask('1.0')).toBe('HTTP/1.1 404 Not Found')
})

test('is not found outside the demo, even if the routes of the demo are registered', async () => {
  const services = { ...server.services, config: { ...server.services.config, demo: false } }
  const app = await createApp(services, pino({ level: 'silent' }))
  registerDirectory(app, services, () => 1)
  expect((await get({}, app)).statusCode).toBe(404)
  await app.close()
})

test('the app without the demo has no such route', async () => {
  const app = await createApp(server.services, pino({ level: 'silent' }))
  expect((await get({}, app)).statusCode).toBe(404)
  await app.close()
})
