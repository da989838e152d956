import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { listPendingMigrations, migrate } from './migrate.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

test('a migrated database has nothing pending, and several migrators at once do no harm', async () => {
  expect(await listPendingMigrations(db.database.outsideTenants)).toEqual([])
  const migrators = Array.from({ length: 4 }, () => migrate(db.owner, 'dishboard_app'))
  expect(await Promise.all(migrators)).toEqual([[], [], [], []])
})
