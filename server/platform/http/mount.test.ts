import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const tenant of ['a', 'b']) {
    await server.addUser(tenant)
    await server.addUser(tenant, { email: 'boss@mail.example', role: 'admin' })
  }
})
afterAll(() => server.close())

const localhost = { host: 'localhost:8080' }

describe('the tenant of a request', () => {
  test('comes from the host name, whatever case and port it is written with', async () => {
    const { body } = await server.call('a', 'GET', '/api/config/', { headers: { host: 'A.Example:8443' } })
    expect(body).toMatchObject({ tenant: 'a', company_name: 'Company a' })
  })
  test('on localhost and bare addresses comes from X-Tenant or ?tenant=', async () => {
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080']) {
      const headers = { host, 'x-tenant': 'b' }
      expect((await server.call('a', 'GET', '/api/config/', { headers })).body).toMatchObject({ tenant: 'b' })
      const query = await server.call('a', 'GET', '/api/config/?tenant=b', { headers: { host } })
      expect(query.body).toMatchObject({ tenant: 'b' })
    }
  })
  test('of a known host cannot be changed by a header or a query', async () => {
    const { body } = await server.call('a', 'GET', '/api/config/?tenant=b', { headers: { 'x-tenant': 'b' } })
    expect(body).toMatchObject({ tenant: 'a' })
  })
  test('of an unknown host is not found, also with a header', async () => {
    for (const host of ['c.example', 'a.example.evil.example', 'xa.example']) {
      const response = await server.call('a', 'GET', '/api/config/', { headers: { host, 'x-tenant': 'a' } })
      expect(response).toMatchObject({ status: 404, body: { error: 'not_found' } })
    }
  })
  test('that does not exist is 404 on localhost too', async () => {
    const response = await server.call('a', 'GET', '/api/config/', { headers: { ...localhost, 'x-tenant': 'nobody' } })
    expect(response.status).toBe(404)
  })
})

describe('a call', () => {
  test('works with and without the last slash and with a doubled prefix, without a redirect', async () => {
    const { access } = await server.signIn('a')
    for (const path of ['/api/verify-token/', '/api/verify-token', '/api/api/verify-token/'])
      expect((await server.call('a', 'GET', path, { token: access })).status).toBe(200)
  })
  test('with input that does not fit is 400 and names the field', async () => {
    const response = await server.call('a', 'POST', '/api/user/login/', { body: { email: 'no', password: 'x' } })
    expect(response).toMatchObject({
      status: 400,
      body: { error: 'invalid', message: expect.stringContaining('email') },
    })
    expect(response.body.msg).toBe(response.body.message)
  })
  test('whose query cannot be decoded is 400 instead of being taken by the letter', async () => {
    const { access } = await server.signIn('a', 'boss@mail.example')
    for (const query of ['action=%ff', 'action=%', 'action=%zz', 'action=%ED%A0%80'])
      expect((await server.call('a', 'GET', `/api/get-logs/?${query}`, { token: access })).status).toBe(400)
    const response = await server.call('a', 'GET', '/api/get-logs/?action=caf%C3%A9+%25', { token: access })
    expect(response.status).toBe(200)
  })
  test('with a body that is no JSON object is 400 in the same envelope', async () => {
    for (const payload of ['{', '[]', '"text"', '{"__proto__":{"a":1}}']) {
      const response = await server.app.inject({
        method: 'POST',
        url: '/api/user/login/',
        headers: { host: 'a.example', 'content-type': 'application/json' },
        payload,
      })
      expect(response.statusCode).toBe(400)
      expect(response.json()).toMatchObject({ error: 'invalid' })
      expect(response.body).not.toMatch(/at |node_modules/)
    }
  })
  test('that does not exist responds with 404 in the same envelope', async () => {
    expect(await server.call('a', 'GET', '/api/nothing/')).toMatchObject({ status: 404, body: { error: 'not_found' } })
  })
  test('of an administrator is for administrators', async () => {
    expect((await server.call('a', 'GET', '/api/get-users/')).status).toBe(401)
    const { access } = await server.signIn('a')
    expect((await server.call('a', 'GET', '/api/get-users/', { token: access })).status).toBe(403)
    const boss = await server.signIn('a', 'boss@mail.example')
    expect((await server.call('a', 'GET', '/api/get-users/', { token: boss.access })).status).toBe(200)
  })
  test('of a feature item needs the item: not there by default, there when granted', async () => {
    const { access } = await server.signIn('a')
    expect((await server.call('a', 'GET', '/api/virtual-plan/', { token: access })).status).toBe(403)
    await server.database.transaction({ tenantId: 'a' }, async (db) => {
      const { id } = await db
        .selectFrom('users')
        .select('id')
        .where('email', '=', 'someone@mail.example')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('feature_grants')
        .values({ tenant_id: 'a', user_id: id, item: 'plan_manager', value: 'true' })
        .execute()
    })
    expect((await server.call('a', 'GET', '/api/virtual-plan/', { token: access })).status).toBe(200)
    const mine = await server.call('a', 'GET', '/api/rbac/my-effective/?items=plan_manager', { token: access })
    expect(mine.body).toMatchObject({ plan_manager: true })
  })
})

describe('the page and its answers', () => {
  test('carry a policy without inline script and keep the referrer for tile servers', async () => {
    const { headers } = await server.call('a', 'GET', '/api/config/')
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/)
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  })
  test('report that the process is alive and ready', async () => {
    server.services.now = () => new Date()
    expect(await server.call('a', 'GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'alive' } })
    expect(await server.call('a', 'GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
    expect((await server.call('a', 'GET', '/metrics')).body).toContain('http_request_duration_seconds')
  })
})
