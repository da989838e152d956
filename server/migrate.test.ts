import { afterAll, beforeAll, expect, test } from 'vitest'
import { listPendingMigrations, migrate } from './migrate.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

test('a migrated database has nothing pending, and two migrators at once do no harm', async () => {
  expect(await listPendingMigrations(db.database.outsideTenants)).toEqual([])
  const both = await Promise.all([migrate(db.owner, 'dishboard_app'), migrate(db.owner, 'dishboard_app')])
  expect(both).toEqual([[], []])
})
