import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildNaturalKey } from '#contract/format/natural-order.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createTestDatabase()
})
afterAll(() => own.close())

test('the database orders names as pages do', async () => {
  const part = fc.oneof(
    fc.stringMatching(/^[ -~]{0,6}$/),
    fc.nat().map(String),
    fc.constantFrom('Ünalakleet', 'Utqiaġvik', 'Boat 10', 'boat 9', '0012345678901234567890', ''),
  )
  const names = fc.sample(
    fc.array(part, { maxLength: 4 }).map((parts) => parts.join('')),
    300,
  )
  const { rows } = await sql<{ key: string }>`
    select natural_key(name) as key from unnest(${names}::text[]) with ordinality as listed (name, place)
    order by place`.execute(own.database.outsideTenants)
  expect(rows.map(({ key }) => key)).toEqual(names.map(buildNaturalKey))
})
