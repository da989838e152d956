import { gunzipSync } from 'node:zlib'
import fastifyCompress from '@fastify/compress'
import fastifyHelmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registerApiDocs } from './api-docs.ts'
import { registerErrorHandler } from './http-errors.ts'

describe('the page of the API', () => {
  let app: FastifyInstance
  let address: string

  beforeAll(async () => {
    app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, forceCloseConnections: true })
    // As in the app: both plugins hook into every response, and the page must still work.
    await app.register(fastifyHelmet)
    await app.register(fastifyCompress)
    registerErrorHandler(app)
    registerApiDocs(app)
    address = await app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())

  it('responds with and without the trailing slash', async () => {
    for (const path of ['/api/docs', '/api/docs/']) {
      const response = await fetch(`${address}${path}`, { redirect: 'error' })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }
  })

  it('names no foreign host, and its policy allows none and no inline script', async () => {
    const response = await fetch(`${address}/api/docs`)
    expect(await response.text()).not.toMatch(/https?:|\/\/\w/)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/https?:|\*/)
  })

  it('finds every file it names on the same server', async () => {
    const page = await (await fetch(`${address}/api/docs`)).text()
    const files = [...page.matchAll(/(?:src="|"url":")(\/[^"]+)"/g)].map((match) => match[1])
    expect(files).toEqual(['/api/openapi.json', '/api/docs/scalar.js'])
    for (const file of files) expect((await fetch(`${address}${file}`)).status, file).toBe(200)
  })

  it('sends its script whole and compressed, to clients that do not say what they accept too', async () => {
    const unasked = await app.inject({ url: '/api/docs/scalar.js', headers: {} })
    expect(unasked.headers['content-encoding']).toBe('gzip')
    const script = gunzipSync(unasked.rawPayload).toString()
    expect(script).toContain('data-configuration')
    for (const encoding of ['br', 'gzip']) {
      const response = await fetch(`${address}/api/docs/scalar.js`, { headers: { 'accept-encoding': encoding } })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      // The length is known because it is compressed once, not per response.
      expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100_000)
      expect(await response.text()).toBe(script)
    }
  })

  it('does not send the megabytes of its script to clients that accept only plain ones', async () => {
    for (const encoding of ['identity', 'deflate', '*;q=0']) {
      const response = await app.inject({ url: '/api/docs/scalar.js', headers: { 'accept-encoding': encoding } })
      expect(response.statusCode, encoding).toBe(406)
      expect(response.rawPayload.length).toBeLessThan(1_000)
    }
  })

  it('reads the OpenAPI document', async () => {
    const document = (await (await fetch(`${address}/api/openapi.json`)).json()) as { openapi: string }
    expect(document.openapi).toMatch(/^3\.1\./)
  })
})
