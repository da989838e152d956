import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

// Its behavior with Citus is covered by `npm run proof -- citus`.

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

test('a database without Citus is not distributed, and the command says what is missing', async () => {
  const environment = buildEnvironment(database)
  const { code, err } = await runDishboard(['distribute'], environment)
  expect(err).toContain('does not have the extension citus')
  expect(code).toBe(1)
  const { out } = await runDishboard(['doctor'], environment)
  expect(out).toContain('ok   migrations')
  expect(out).not.toContain('distribution')
})
