import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../process/app.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { queueMail } from './queue-mail.ts'
import { renderMail } from './render-mail.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  const brand = {
    company: 'Company',
    color: '#123456',
    logo: undefined,
    supportPhone: undefined,
    supportEmail: undefined,
  }
  for (const tenantId of ['a', 'b'])
    for (const heading of ['First', 'Second <script>alert(1)</script>'])
      await server.database.transaction({ tenantId }, (db) =>
        queueMail(db, tenantId, {
          to: `someone@${tenantId}.example`,
          subject: `${heading} of ${tenantId}`,
          ...renderMail(brand, { heading, paragraphs: ['Hello'] }),
        }),
      )
})
afterAll(() => server.close())

const get = (url: string, options: { host?: string; from?: string; headers?: Record<string, string> } = {}) =>
  server.app.inject({
    url,
    headers: { host: options.host ?? 'localhost:8080', ...options.headers },
    remoteAddress: options.from ?? '127.0.0.1',
  })

test('shows a tenant’s messages on this machine, newest first, and no other tenant’s', async () => {
  for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    const { statusCode, body } = await get('/outbox?tenant=a', { from })
    expect(statusCode).toBe(200)
    expect(body.indexOf('Second')).toBeLessThan(body.indexOf('First of a'))
    expect(body).not.toContain('someone@b.example')
  }
})

test('is not found from other machines, whatever their headers say', async () => {
  for (const from of ['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', '10.127.0.1'])
    for (const headers of [
      {},
      { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1' },
    ])
      expect((await get('/outbox', { from, headers: { ...headers } as Record<string, string> })).statusCode).toBe(404)
})

test('is not found through a proxy on this machine', async () => {
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect((await get('/outbox', { headers: { [name]: '192.0.2.1' } })).statusCode).toBe(404)
})

test('is not found under a foreign host name, and shows one tenant under that tenant’s host name', async () => {
  expect((await get('/outbox', { host: 'evil.example' })).statusCode).toBe(404)
  const own = await get('/outbox?tenant=b', { host: 'a.example' })
  expect(own.body).toContain('someone@a.example')
  expect(own.body).not.toContain('someone@b.example')
})

test('runs no script, neither its own nor one in a mail', async () => {
  const { headers, body } = await get('/outbox?tenant=a')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).not.toContain('script-src')
  expect(body).not.toContain('<script')
  expect(body).toContain('<iframe sandbox="allow-same-origin" title')
})

test('is not found where mail is sent, or outside the demo', async () => {
  for (const change of [{ smtpUrl: 'smtp://127.0.0.1' }, { demo: false }]) {
    const services = { ...server.services, config: { ...server.services.config, ...change } }
    const app = await createApp(services, pino({ level: 'silent' }))
    const { body } = await app.inject({ url: '/outbox', headers: { host: 'localhost' }, remoteAddress: '127.0.0.1' })
    await app.close()
    expect(body).not.toContain('someone@')
  }
})
