import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from './db.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'

let base: TestDatabase

beforeAll(async () => {
  base = await createTestDatabase()
  const owner = openDatabase(base.superuser, () => {})
  for (const id of ['a', 'b'])
    await owner.transaction({ tenantId: id }, async (db) => {
      await sql`insert into tenants (id) values (${id})`.execute(db)
      await sql`insert into tenant_settings (tenant_id) values (${id})`.execute(db)
    })
  await owner.close()
})

afterAll(() => base.close())

const visibleTo = (tenantId: string) =>
  base.database.readAtOnce<{ tenant_id: string }>(
    { tenantId },
    'visible',
    sql`select tenant_id from tenant_settings order by tenant_id`,
  )

test('readers that share connections each see their own tenant only', async () => {
  const asked = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'a' : 'b'))
  const seen = await Promise.all(asked.map(visibleTo))
  expect(seen).toEqual(asked.map((tenant_id) => [{ tenant_id }]))
})

test('a statement that fails leaves the connections fit for others and shows them nothing', async () => {
  const failing = () => base.database.readAtOnce({ tenantId: 'a' }, 'failing', sql<object>`select 1 / ${0}::integer`)
  const failures = await Promise.allSettled(Array.from({ length: 6 }, failing))
  expect(failures.map(({ status }) => status)).toEqual(Array(6).fill('rejected'))
  expect(await Promise.all([visibleTo('b'), visibleTo('a')])).toEqual([[{ tenant_id: 'b' }], [{ tenant_id: 'a' }]])
})
