import { expect, test } from 'vitest'
import { withoutTenantFilters } from './unfiltered-client.ts'

test('removes conditions on the tenant, written by Kysely and by hand', () => {
  expect(withoutTenantFilters('select from "users" as "u" where "u"."tenant_id" = $1 and "id" = $2')).toBe(
    'select from "users" as "u" where ($1::text is not null) and "id" = $2',
  )
  expect(
    withoutTenantFilters('join line on line.tenant_id = $3 and line.id = used.id where (tenant_id = $3 or true)'),
  ).toBe('join line on ($3::text is not null) and line.id = used.id where (($3::text is not null) or true)')
})

test('leaves written values and join conditions', () => {
  const upsert = 'insert into "ends" ("tenant_id") values ($1) on conflict ("tenant_id") do update set "tenant_id" = $2'
  expect(withoutTenantFilters(upsert)).toBe(upsert)
  const joined = 'select from a join b on b.tenant_id = a.tenant_id'
  expect(withoutTenantFilters(joined)).toBe(joined)
})
