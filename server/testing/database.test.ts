import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { createTestDatabase } from './database.ts'

test('closes although a transaction never ends', async () => {
  const { database, runtime, close } = await createTestDatabase({ leaveWithinMs: 0 })
  const begun = Promise.withResolvers<void>()
  database
    .transaction({ tenantId: 'a' }, () => {
      begun.resolve()
      return new Promise(() => {})
    })
    .catch(() => {})
  await begun.promise
  await close()
  const client = new pg.Client({ host: inject('socketDir'), user: 'postgres', database: 'postgres' })
  await client.connect()
  expect((await client.query('select from pg_database where datname = $1', [runtime.database])).rowCount).toBe(0)
  await client.end()
})
