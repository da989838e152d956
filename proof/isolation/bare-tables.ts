import pg from 'pg'
import type { TestDatabase } from '#server/testing/database.ts'
import { seedEveryTable } from '#server/testing/every-table.ts'

const TENANTS = ['c', 'd'] as const
// Workers set no tenant and see the jobs of all tenants: ids and times only.
const READABLE_WITHOUT_TENANT = ['jobs', 'job_requests']

/** Tables with tenant data that the runtime can read; the directory of hosts is readable by design. */
const listTables = async (superuser: pg.Pool) => {
  const { rows } = await superuser.query<{ name: string }>(`
    select relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and relname <> 'tenant_hosts' order by 1`)
  return rows.map(({ name }) => name)
}

const countForeign = (rows: { tenant_id: string }[], tenant: string) =>
  rows.filter(({ tenant_id }) => tenant_id !== tenant).length

/**
 * Reads every table without any condition, on the few connections of the pool, as two tenants at once. Some of the
 * transactions fail midway: their settings must not leak into the next transaction on the connection.
 */
export const readBareTables = async ({ database, superuser: connection }: TestDatabase, readers: number) => {
  const superuser = new pg.Pool(connection)
  try {
    await superuser.query("insert into tenants (id) values ('c'), ('d')")
    for (const tenant of TENANTS) await seedEveryTable(superuser, tenant)
    const tables = await listTables(superuser)
    const count = { tables: tables.length, reads: 0, foreign: 0, missing: 0, withoutTenant: 0 }
    const readAll = async (reader: number) => {
      const tenant = TENANTS[reader % 2] as string
      for (let at = 0; at < tables.length; at += 1) {
        const table = tables[(at + reader) % tables.length] as string
        const falls = (at + reader) % 7 === 0
        let rows: { tenant_id: string }[] = []
        const reading = database.transaction({ tenantId: tenant }, async (_, client) => {
          rows = (await client.query(`select tenant_id from ${table}`)).rows
          if (falls) await client.query('select 1 / 0')
        })
        await (falls ? reading.catch(() => {}) : reading)
        count.reads += 1
        count.foreign += countForeign(rows, tenant)
        if (rows.length === 0) count.missing += 1
        if (at % 5 === 0 && !READABLE_WITHOUT_TENANT.includes(table))
          count.withoutTenant += (await database.pool.query(`select from ${table}`)).rowCount ?? 0
      }
    }
    await Promise.all(Array.from({ length: readers }, (_, reader) => readAll(reader)))
    return count
  } finally {
    await superuser.end()
  }
}
