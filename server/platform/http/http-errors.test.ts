import Fastify, { type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { registerErrorHandler } from './http-errors.ts'

const withCode = (code: string) => Object.assign(new Error(`fault ${code}`), { code })

test('requests refused for one reason are logged once, and each failed one by itself', async () => {
  const logged: { msg: string; err?: { message: string } }[] = []
  const log: FastifyBaseLogger = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) })
  const app = Fastify({ loggerInstance: log })
  registerErrorHandler(app)
  app.get('/busy', () => {
    throw new ApiError(503, 'busy', 'Please try again.', 2)
  })
  app.get('/away', () => {
    throw withCode('ECONNREFUSED')
  })
  app.get('/full', () => {
    throw withCode('53100')
  })
  app.get('/broken', () => {
    throw new Error('something unforeseen')
  })
  for (let time = 0; time < 20; time++)
    for (const [url, retryAfter] of [
      ['/busy', '2'],
      ['/away', '2'],
      ['/full', '30'],
    ] as const) {
      const { statusCode, headers } = await app.inject(url)
      expect([statusCode, headers['retry-after']]).toEqual([503, retryAfter])
    }
  for (let time = 0; time < 2; time++) expect((await app.inject('/broken')).statusCode).toBe(500)
  expect(logged.map(({ msg, err }) => [msg, err?.message])).toEqual([
    ['The server is overloaded; requests are refused.', undefined],
    ['The database is unavailable; requests are refused.', 'fault ECONNREFUSED'],
    ['The disk of the database is full; changes are refused.', 'fault 53100'],
    ['request failed', 'something unforeseen'],
    ['request failed', 'something unforeseen'],
  ])
  await app.close()
})
