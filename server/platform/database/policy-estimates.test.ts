import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'

/** Rows of each tenant by group. */
const GROUPS = { small: 10, medium: 200, large: 1_800 }

let db: TestDatabase
let superuser: pg.Client
let runtime: pg.Client

beforeAll(async () => {
  db = await createTestDatabase()
  superuser = await db.connectSuperuser()
  runtime = new pg.Client(db.runtime)
  await runtime.connect()
  for (const tenant of ['a', 'b', 'c']) {
    await superuser.query('insert into tenants (id) values ($1)', [tenant])
    const { rows } = await superuser.query<{ id: number }>(
      `insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
       values ($1, 'http://127.0.0.1:9/', 'http://127.0.0.1:9/', 'client', '\\x00') returning id`,
      [tenant],
    )
    for (const [group, count] of Object.entries(GROUPS)) {
      await superuser.query(
        `insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group, active, public_ip)
         select $1, $2, $3 || n, $3 || n, $3, 'Dishboard', true, false from generate_series(1, $4::integer) as n`,
        [tenant, rows[0]?.id, group, count],
      )
      await superuser.query(
        `insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day,
           cycle_start, cycle_end, created_at)
         select $1, $2 || n, $2, 'Soft Cap', 50, 50, 1, '2026-11-01', '2026-12-01', now() from generate_series(1, $3::integer) as n`,
        [tenant, group, count],
      )
    }
  }
  await superuser.query('analyze service_lines, pools')
})
afterAll(async () => {
  await runtime.end()
  await db.close()
})

const estimateRows = async (table: string, group: string) => {
  await runtime.query(`begin; set local app.tenant_id = 'a'; set local app."group" = '${group}'`)
  const { rows } = await runtime.query(`explain (format json) select * from ${table} where tenant_id = 'a'`)
  await runtime.query('commit')
  return rows[0]['QUERY PLAN'][0].Plan['Plan Rows'] as number
}

test.each(['service_lines', 'pools'])('the planner expects the rows of %s that the scope sees', async (table) => {
  const all = Object.values(GROUPS).reduce((sum, count) => sum + count, 0)
  for (const [group, count] of [['', all] as const, ...Object.entries(GROUPS)]) {
    const estimate = await estimateRows(table, group)
    expect(estimate, `${table} of '${group}'`).toBeGreaterThan(count / 2)
    expect(estimate, `${table} of '${group}'`).toBeLessThan(count * 2)
  }
})

test('no policy says that a group is not set without a column, of which the planner would expect next to no rows', async () => {
  const { rows } = await superuser.query<{ table: string }>(
    `select tablename as table from pg_policies
     where qual like '%current_setting(''app.group''%IS NULL%' and qual !~ 'EXISTS|CASE\\s+WHEN' order by 1`,
  )
  expect(rows.map(({ table }) => table)).toEqual([])
})
