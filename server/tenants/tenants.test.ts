import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { configureTenant, TenantConfigurationFile } from './configure-tenant.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dishboard-brands-'))
  for (const tenant of ['a', 'b']) await mkdir(join(folder, tenant))
  await writeFile(join(folder, 'a/logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'b/logo.svg'), '<svg/>')
  await writeFile(join(folder, 'secret.svg'), 'outside')
  await writeFile(join(folder, 'a/notes.txt'), 'no picture')
  server = await startTestServer({ BRAND_DIR: folder })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const getConfig = async (host: string) => (await server.call('a', 'GET', '/api/config/', { headers: { host } })).body

test('accepts a host name in every spelling that a browser may send, and in no other', async () => {
  for (const host of ['a.example', 'A.Example', 'a.example:8443', 'a.example.', 'A.EXAMPLE.:443'])
    expect(await getConfig(host)).toMatchObject({ tenant: 'a' })
  for (const host of [
    'a.example..',
    '.a.example',
    'a.example:port',
    'a.example:80:80',
    'a_example',
    'user@a.example',
    ' ',
  ])
    expect(await getConfig(host)).toMatchObject({ error: 'not_found' })
})

test('shows the default brand on localhost and IP addresses', async () => {
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1', '[::1]', '[2001:db8::1]:8080', '10.0.0.5:80'])
    expect(await getConfig(host)).toEqual({ company_name: 'Dishboard' })
  for (const host of ['::1', '127.0.0.1.example', 'localhost.example', '127.1', '[::1', '256.0.0.1'])
    expect(await getConfig(host)).toMatchObject({ error: 'not_found' })
})

test('returns brand, widgets and links, with the URLs of image files', async () => {
  const file = {
    config: {
      company_name: 'A & Co',
      images: { logo: 'logo.svg', navbar: 'https://cdn.example/n.png', homepage1: '/brand/coast.svg' },
      colors: { primary: '#0f766e' },
      chatbotEnabled: true,
      ticket: 'freshdesk',
      freshdesk_script: 'https://widget.example/desk.js',
      faq_url: 'https://help.example/',
      mapTiles: { light: 'https://tiles.example/{z}/{x}/{y}', attribution: 'Ours' },
    },
    faq: [{ question: 'Why?', answer: 'Because.' }],
  }
  const settings = z.decode(TenantConfigurationFile, file as never)
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    configureTenant(db, 'a', { performer: 'test', now: new Date() }, settings),
  )
  const config = await getConfig('a.example')
  expect(config).toEqual({
    ...file.config,
    tenant: 'a',
    timeZone: 'UTC',
    units: 'metric',
    images: { logo: '/brand/a/logo.svg', navbar: 'https://cdn.example/n.png', homepage1: '/brand/coast.svg' },
    // The installation's tiles, if the tenant has none.
    mapTiles: { ...file.config.mapTiles, dark: server.services.config.mapTiles.dark },
  })
})

test('returns exactly {} for an empty configuration', async () => {
  await server.database.transaction({ tenantId: 'b' }, (db) =>
    configureTenant(db, 'b', { performer: 'test', now: new Date() }, { config: {}, faq: [], widgetOrigins: [] }),
  )
  expect(await getConfig('b.example')).toEqual({})
})

test('refuses settings with unknown names, plain http or invalid addresses', () => {
  for (const config of [
    { compani_name: 'A' },
    { chatbot_script: 'http://widget.example/x.js' },
    { freshdesk_script: 'javascript:alert(1)' },
    { support_email: 'nobody' },
  ])
    expect(z.safeDecode(TenantConfigurationFile, { config } as never).success).toBe(false)
  const origins = { config: {}, widgetOrigins: ['https://widget.example/path'] }
  expect(z.safeDecode(TenantConfigurationFile, origins as never).success).toBe(false)
})

const picture = (host: string, url: string) => server.app.inject({ url, headers: { host } })

test('serves a tenant’s images from its own folder, with a policy that runs no scripts', async () => {
  const response = await picture('a.example', '/brand/a/logo.svg')
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('image/svg+xml')
  expect(response.headers['content-security-policy']).toContain('sandbox')
  expect(response.headers['x-content-type-options']).toBe('nosniff')
  expect((await picture('localhost', '/brand/b/logo.svg')).statusCode).toBe(200)
})

test('serves no other files, and no images of another tenant', async () => {
  for (const url of [
    '/brand/b/logo.svg',
    '/brand/a/notes.txt',
    '/brand/a/..%2fsecret.svg',
    '/brand/a/%2e%2e%2fb%2flogo.svg',
    '/brand/..%2fa/logo.svg',
    '/brand/a/missing.svg',
  ])
    expect((await picture('a.example', url)).statusCode, url).toBe(404)
  expect((await picture('c.example', '/brand/a/logo.svg')).statusCode).toBe(404)
})
