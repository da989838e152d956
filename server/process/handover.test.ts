import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { createHandover } from './handover.ts'

test('before a process stops, a GET is answered with 502 and everything else is served, as are probes', async () => {
  const app = Fastify()
  const handover = createHandover()
  handover.register(app)
  for (const url of ['/page', '/healthz', '/readyz', '/metrics']) app.get(url, async () => 'served')
  app.post('/call', async () => 'served')
  const request = async (method: 'GET' | 'HEAD' | 'POST', url: string) => (await app.inject({ method, url })).statusCode
  expect(await request('GET', '/page')).toBe(200)
  const over = handover.run()
  expect(await request('GET', '/page')).toBe(502)
  expect(await request('HEAD', '/page')).toBe(502)
  expect(await request('GET', '/unknown')).toBe(502)
  expect(await request('POST', '/call')).toBe(200)
  for (const url of ['/healthz', '/readyz', '/metrics']) expect(await request('GET', url)).toBe(200)
  await over
  // Until the port is closed, a late GET is still sent elsewhere.
  expect(await request('GET', '/page')).toBe(502)
  await app.close()
})
