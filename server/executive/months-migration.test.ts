import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabaseBefore, type DatabaseBefore } from '../testing/database-before.ts'

let target: DatabaseBefore
beforeAll(async () => {
  target = await createDatabaseBefore('0460_monthly_usage')
})
afterAll(() => target.close())

test('adds up the days of every tenant that are there already', async () => {
  const { client } = target
  for (const [tenant, gb] of [
    ['a', 2],
    ['b', 5],
  ] as const) {
    await target.addTenant(tenant)
    await client.query(
      `with credential as (
         insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
         values ($1, '-', '-', 'client', '\\x00') returning id),
       line as (
         insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group,
           active, public_ip)
         select $1, id, 'SL-1', 'Line', 'north', 'Dishboard', true, false from credential returning id)
       select id from line`,
      [tenant],
    )
    await client.query(
      `insert into daily_usage select $1, id, day, $2, 1, 7, 7 from service_lines,
         unnest('{2026-01-30,2026-01-31,2026-02-02,2026-02-28}'::date[]) as day where tenant_id = $1`,
      [tenant, gb],
    )
  }
  await target.migrate()
  const { rows } = await client.query(
    `select tenant_id, month::text, first_day::text, used_gb[1] as first, used_gb[2] as second, used_gb[31] as gb
     from monthly_usage order by tenant_id, month`,
  )
  const months = (tenant_id: string, gb: number) => [
    { tenant_id, month: '2026-01-01', first_day: '2026-01-30', first: 0, second: 0, gb: 2 * gb },
    { tenant_id, month: '2026-02-01', first_day: '2026-02-02', first: 0, second: gb, gb: 2 * gb },
  ]
  expect(rows).toEqual([...months('a', 3), ...months('b', 6)])
})
