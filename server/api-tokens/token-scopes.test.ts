import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { carriesBody, type RouteTable } from '#contract/route.ts'
import { findScope, type Scope, scopeCodes } from '#contract/scopes.ts'
import { addApiToken } from '../testing/add-api-token.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
let adminId: number
beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
  adminId = await server.addUser('a', { email: 'ada@a.example', role: 'admin' })
})
afterAll(() => server.close())

const calls = Object.entries(api as Record<string, RouteTable>).flatMap(([table, routes]) =>
  Object.entries(routes).map(([name, route]) => ({
    name: `${table}.${name}`,
    route,
    scope: findScope(table as keyof typeof api, name, route),
  })),
)
const tokenCalls = calls.filter((call): call is (typeof calls)[number] & { scope: Scope } =>
  scopeCodes.includes(call.scope as Scope),
)

/** With a field that no call has: an authorized caller gets 400, and nothing happens. */
const send = async ({ method, path }: (typeof calls)[number]['route'], token: string) => {
  const url = `/api${path.replaceAll(/:\w+/g, '1')}`
  const { status, body } = await server.call('a', method, carriesBody(method) ? url : `${url}?nothing=1`, {
    token,
    ...(carriesBody(method) && { body: { nothing: 1 } }),
  })
  return `${status} ${body.error}`
}

test('every call admits a token that has its scope alone, and none that has all others', async () => {
  expect(tokenCalls.length).toBeGreaterThan(60)
  expect(new Set(tokenCalls.map(({ scope }) => scope))).toEqual(new Set(scopeCodes))
  for (const scope of scopeCodes) {
    const { token: sole } = await addApiToken(superuser, 'a', { userId: adminId, scopes: [scope] })
    const others = scopeCodes.filter((each) => each !== scope)
    const { token: rest } = await addApiToken(superuser, 'a', { userId: adminId, scopes: others })
    for (const { name, route } of tokenCalls.filter((call) => call.scope === scope)) {
      expect([name, await send(route, sole)]).toEqual([name, '400 invalid'])
      expect([name, await send(route, rest)]).toEqual([name, '403 token_scope'])
    }
  }
})

test('every other call refuses a token that has all scopes', async () => {
  const { token } = await addApiToken(superuser, 'a', { userId: adminId })
  for (const { name, route } of calls.filter(({ scope }) => scope === 'never'))
    expect([name, await send(route, token)]).toEqual([name, '403 token_not_allowed'])
})
