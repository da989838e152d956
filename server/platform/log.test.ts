import Fastify, { type FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, runOnce, type TestDatabase } from '../testing/database.ts'
import { openDatabase } from './database/database.ts'
import { registerErrorHandler } from './http/http-errors.ts'
import { createLog, formatError } from './log.ts'

let base: TestDatabase
beforeAll(async () => {
  base = await createTestDatabase()
  await runOnce(base.superuser, 'create table secrets_of_test (secret text primary key)')
})
afterAll(() => base.close())

const SECRET = 'S3cret-that-nobody-may-log'

const captureLog = () => {
  const lines: string[] = []
  const log: FastifyBaseLogger = createLog('trace', { write: (line) => void lines.push(line) })
  return { log, lines, read: () => lines.map((line) => JSON.parse(line)) }
}

test('of a connection that broke, the log says why, and nothing of the connection', async () => {
  const { log, lines, read } = captureLog()
  const logged = Promise.withResolvers<void>()
  const database = openDatabase({ ...base.superuser, application_name: SECRET }, (err) => {
    log.warn({ err }, 'A database connection broke.')
    logged.resolve()
  })
  await database.pool.query('select $1::text', [SECRET])
  await runOnce(
    base.superuser,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${SECRET}'`,
  )
  await logged.promise
  await database.close()
  expect(read()[0]).toMatchObject({ err: { type: 'DatabaseError', code: '57P01', severity: 'FATAL' } })
  expect(Object.keys(read()[0].err).sort()).toEqual(['code', 'message', 'routine', 'severity', 'stack', 'type'])
  expect(lines.join('')).not.toContain(SECRET)
})

test('of a row that the database refused, the log names the constraint and not the row', async () => {
  const { log, lines, read } = captureLog()
  const client = new pg.Client(base.superuser)
  await client.connect()
  const app = Fastify({ loggerInstance: log })
  registerErrorHandler(app)
  app.get('/', async () => {
    for (let time = 0; time < 2; time++) await client.query('insert into secrets_of_test values ($1)', [SECRET])
  })
  expect((await app.inject('/')).statusCode).toBe(500)
  await app.close()
  await client.end()
  const failed = read().find(({ msg }) => msg === 'request failed')
  expect(failed.err).toMatchObject({ code: '23505', table: 'secrets_of_test', constraint: 'secrets_of_test_pkey' })
  expect(lines.join('')).not.toContain(SECRET)
})

test('causes and the parts of an error are logged by the same rule', () => {
  const { log, lines, read } = captureLog()
  const parse = () => {
    try {
      return new URL(`postgres://user:${SECRET}@host:port/`)
    } catch (error) {
      return error
    }
  }
  const cause = Object.assign(new Error('the cause'), { config: { password: SECRET } })
  log.error({ err: parse() }, 'an address')
  log.error({ err: new Error('the effect', { cause }) }, 'with a cause')
  log.error({ err: new AggregateError([cause, parse()], 'both failed') }, 'with parts')
  log.error({ err: { connectionString: SECRET } }, 'no error')
  const [address, effect, parts, other] = read().map(({ err }) => err)
  expect(address).toMatchObject({ code: 'ERR_INVALID_URL' })
  expect(effect.message).toContain('the cause')
  expect(parts.errors).toMatchObject([{ message: 'the cause' }, { code: 'ERR_INVALID_URL' }])
  expect(other).toEqual({ type: 'object', message: '[object Object]' })
  expect(formatError(new Error('the effect', { cause }))).toMatch(/the effect[\s\S]*the cause/)
  expect(formatError(parse())).not.toContain(SECRET)
  expect(lines.join('')).not.toContain(SECRET)
})
