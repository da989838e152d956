import Fastify, { type FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { registerErrorHandler } from './http-errors.ts'

test('refused requests are logged once, and each failed one by itself', async () => {
  const logged: { msg: string }[] = []
  const log: FastifyBaseLogger = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line)) })
  const app = Fastify({ loggerInstance: log })
  registerErrorHandler(app)
  app.get('/busy', () => {
    throw new ApiError(503, 'busy', 'Please try again.', 2)
  })
  app.get('/broken', () => {
    throw new Error('something unforeseen')
  })
  for (let time = 0; time < 50; time++) {
    const { statusCode, headers } = await app.inject('/busy')
    expect([statusCode, headers['retry-after']]).toEqual([503, '2'])
  }
  for (let time = 0; time < 2; time++) expect((await app.inject('/broken')).statusCode).toBe(500)
  expect(logged.map(({ msg }) => msg)).toEqual([
    'The server is overloaded; requests are refused.',
    'request failed',
    'request failed',
  ])
  await app.close()
})
