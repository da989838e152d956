import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiToken } from '../identity/api-token-secret.ts'
import { UNKNOWN_TOKENS_PER_NETWORK } from '../identity/token-guesses.ts'
import { addApiToken } from '../testing/add-api-token.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let superuser: pg.Client
beforeAll(async () => {
  server = await startTestServer()
  superuser = await server.connectSuperuser()
})
afterAll(() => server.close())

test('guesses of tokens are limited, and a valid token from the same network is still accepted', async () => {
  const userId = await server.addUser('a', { email: 'ada@a.example' })
  const { token } = await addApiToken(superuser, 'a', { userId })
  const fresh = await addApiToken(superuser, 'a', { userId })
  const from = async (secret: string, remoteAddress = '203.0.113.50') => {
    const headers = { host: 'a.example', authorization: `Bearer ${secret}` }
    return (await server.app.inject({ url: '/api/terminals/', headers, remoteAddress })).statusCode
  }
  expect(await from(token)).toBe(200)
  for (let count = 0; count < UNKNOWN_TOKENS_PER_NETWORK; count++)
    expect(await from(createApiToken('a').token)).toBe(401)
  expect(await from(createApiToken('a').token)).toBe(429)
  expect(await from(token)).toBe(200)
  expect(await from(fresh.token, '198.51.100.50')).toBe(200)
})
