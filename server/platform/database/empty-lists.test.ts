import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listValidSubscribers } from '../../fleet/live-queries.ts'
import { consume } from '../../identity/rate-limits.ts'
import { listNewestMessages } from '../../messages/outbox-queries.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

test('queries by an empty list return nothing instead of failing', async () => {
  const scope = { tenantId: 'a' }
  await expect(listNewestMessages(db.database, 'a', [])).resolves.toEqual([])
  await expect(db.database.transaction(scope, (rows) => listValidSubscribers(rows, 'a', []))).resolves.toEqual(
    new Set(),
  )
  await expect(db.database.transaction(scope, (rows) => consume(rows, 'a', [], new Date()))).resolves.toBeDefined()
})

// PostgreSQL has no `in ()`: a computed list may be empty, so it is compared with `= any(…)`.
const COMPUTED_LIST = /'(not )?in',(?!\s*[[(])\s*\S*/g

test('no query compares with `in` and a computed list', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const found: string[] = []
  for (const folder of ['server', 'cli', 'demo'])
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
      if (/(?<!\.test)\.ts$/.test(file))
        for (const [match] of readFileSync(join(root, folder, file), 'utf8').matchAll(COMPUTED_LIST))
          found.push(`${folder}/${file}: ${match}`)
  expect(found).toEqual([])
})
