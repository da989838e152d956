import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerErrorHandler } from '../platform/http/http-errors.ts'
import { configureTenant, type TenantConfigurationFile } from '../tenants/configure-tenant.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { contentPolicy } from './content-policy.ts'
import { registerWeb } from './web.ts'

let server: TestServer
let app: FastifyInstance
let folder: string

beforeAll(async () => {
  server = await startTestServer()
  folder = `${await mkdtemp(join(tmpdir(), 'dishboard-web-'))}/`
  await writeFile(join(folder, 'index.html'), '<!doctype html><html><head></head><body></body></html>')
  app = Fastify()
  registerErrorHandler(app)
  await registerWeb(app, server.services, folder)
})
afterAll(async () => {
  await app.close()
  await server.close()
  await rm(folder, { recursive: true })
})

const configure = (config: TenantConfigurationFile['config'], widgetOrigins: string[] = []) =>
  server.database.transaction({ tenantId: 'a' }, (db) =>
    configureTenant(db, 'a', { performer: 'test', now: new Date() }, { config, faq: [], widgetOrigins }),
  )

const open = (host: string, url = '/support') => app.inject({ url, headers: { host } })
const getPolicy = async (host: string, url?: string) =>
  String((await open(host, url)).headers['content-security-policy'])

test('compresses the page for clients that accept it', async () => {
  const headers = { host: 'a.example' }
  const plain = await app.inject({ url: '/support', headers: { ...headers, 'accept-encoding': 'gzip, br;q=0' } })
  const compressed = await app.inject({
    url: '/support',
    headers: { ...headers, 'accept-encoding': 'gzip, deflate, br, zstd' },
  })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(plain.body)
})

test('responds 304 to a client that has the page, until the page or its policy changes', async () => {
  await configure({ company_name: 'A' })
  const { etag } = (await open('a.example')).headers
  const revalidate = () =>
    app.inject({ url: '/support', headers: { host: 'a.example', 'if-none-match': String(etag) } })
  const known = await revalidate()
  expect(known.statusCode).toBe(304)
  expect(known.body).toBe('')
  expect(known.headers).toMatchObject({ etag, 'content-security-policy': contentPolicy, 'cache-control': 'no-cache' })

  await configure({ company_name: 'A', chatbotEnabled: true, chatbot_script: `${WIDGET}/chat.js` })
  const changed = await revalidate()
  expect(changed.statusCode).toBe(200)
  expect(changed.headers['content-security-policy']).toContain(WIDGET)
  expect(changed.headers.etag).not.toBe(etag)
})

const WIDGET = 'https://widget.example'

test('allows a tile server without https only for the tenant that names it', async () => {
  await configure({ company_name: 'A', mapTiles: { light: 'http://tiles.lan:8080/{z}/{x}/{y}.png' } })
  expect(await getPolicy('a.example')).toMatch(/img-src [^;]* https: http:\/\/tiles\.lan:8080;/)
  expect(await getPolicy('b.example')).toBe(contentPolicy)
})

test('allows a tenant’s widget on its own pages only', async () => {
  await configure({ company_name: 'A', chatbotEnabled: true, chatbot_script: `${WIDGET}/v1/chat.js?id=1` }, [
    'https://api.widget.example',
  ])
  const own = await getPolicy('a.example')
  expect(own).toContain(`script-src 'self' ${WIDGET};`)
  expect(own).toContain(`connect-src 'self' ${WIDGET} https://api.widget.example;`)
  expect(own).toContain(`frame-src 'self' ${WIDGET} https://api.widget.example`)
  expect(own).not.toMatch(/script-src[^;]*(unsafe|\*|https:[ ;]|api\.widget)/)
  expect(await getPolicy('localhost:8080', '/support?tenant=a')).toBe(own)
  for (const [host, url] of [
    ['b.example', '/support?tenant=a'],
    ['localhost', '/support'],
    ['localhost', '/support?tenant=b'],
    ['c.example', '/'],
  ] as const)
    expect(await getPolicy(host, url)).toBe(contentPolicy)
})

test('does not loosen the policy for a widget that is switched off', async () => {
  for (const config of [
    { company_name: 'A', chatbotEnabled: false, chatbot_script: `${WIDGET}/chat.js` },
    { company_name: 'A', ticket: 'email' as const, freshdesk_script: `${WIDGET}/desk.js` },
    { company_name: 'A', ticket: 'freshdesk' as const },
  ]) {
    await configure(config, ['https://api.widget.example'])
    expect(await getPolicy('a.example')).toBe(contentPolicy)
  }
  await configure({ company_name: 'A', ticket: 'freshdesk', freshdesk_script: `${WIDGET}/desk.js` })
  expect(await getPolicy('a.example')).toContain(`script-src 'self' ${WIDGET};`)
})

test('does not let a URL that is not https into the policy', async () => {
  const evil = [
    'http://plain.example/x.js',
    'javascript:alert(1)',
    'https://x.example; script-src *',
    'data:text/javascript,1',
  ]
  for (const chatbot_script of evil) {
    await configure({ company_name: 'A', chatbotEnabled: true, chatbot_script })
    const policy = await getPolicy('a.example')
    expect(policy).not.toContain('script-src *')
    expect(policy.split('; ').filter((part) => part.startsWith('script-src'))).toHaveLength(1)
    expect(policy).not.toMatch(/script-src[^;]*(plain|javascript|data)/)
  }
})

test('responds 404 under a host of no tenant, and 200 under known hosts and localhost', async () => {
  expect((await open('c.example')).statusCode).toBe(404)
  expect((await open('localhost', '/?tenant=nobody')).statusCode).toBe(404)
  for (const host of ['a.example', 'A.EXAMPLE.:8443', 'localhost:8080', '[::1]:8080', '127.0.0.1'])
    expect((await open(host)).statusCode).toBe(200)
})

test('allows the page’s inline scripts by their hash, also beside a tenant’s widget', async () => {
  const scripted = `${await mkdtemp(join(tmpdir(), 'dishboard-web-'))}/`
  const inline = 'document.title = 1'
  await writeFile(join(scripted, 'index.html'), `<html><head><script>${inline}</script></head></html>`)
  const pages = Fastify()
  await registerWeb(pages, server.services, scripted)
  try {
    const readPolicy = async (host: string) =>
      String((await pages.inject({ url: '/', headers: { host } })).headers['content-security-policy'])
    const hash = `'sha256-${createHash('sha256').update(inline).digest('base64')}'`
    await configure({ company_name: 'A', chatbotEnabled: true, chatbot_script: `${WIDGET}/chat.js` })
    expect(await readPolicy('a.example')).toContain(`script-src 'self' ${hash} ${WIDGET};`)
    expect(await readPolicy('b.example')).toContain(`script-src 'self' ${hash};`)
    expect(await readPolicy('nobody.example')).toContain(`script-src 'self' ${hash};`)
  } finally {
    await pages.close()
    await rm(scripted, { recursive: true })
  }
})

test('serves the service worker unless it is switched off; then a script that removes it', async () => {
  const built = `${await mkdtemp(join(tmpdir(), 'dishboard-web-'))}/`
  await writeFile(join(built, 'index.html'), '<html><head></head></html>')
  await writeFile(join(built, 'worker.js'), 'addEventListener("fetch", () => {})')
  const openBoth = async (offlinePages: boolean) => {
    const pages = Fastify()
    await registerWeb(pages, { ...server.services, config: { ...server.services.config, offlinePages } }, built)
    const headers = { host: 'a.example' }
    const [worker, page] = [
      await pages.inject({ url: '/worker.js', headers }),
      await pages.inject({ url: '/', headers }),
    ]
    await pages.close()
    expect(worker.headers['cache-control']).toBe('no-cache')
    expect(worker.headers['content-type']).toContain('javascript')
    return { worker: worker.body, page: page.body }
  }
  try {
    const on = await openBoth(true)
    expect(on.worker).toBe('addEventListener("fetch", () => {})')
    expect(on.page).not.toContain('offline-pages')
    const off = await openBoth(false)
    expect(off.worker).toContain('registration.unregister()')
    expect(off.page).toContain('<meta name="dishboard:offline-pages" content="off">')
  } finally {
    await rm(built, { recursive: true })
  }
})
