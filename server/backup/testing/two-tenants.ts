import pg from 'pg'
import { recordAudit } from '../../audit/record.ts'
import { createKysely } from '../../platform/database/database.ts'
import { seedEveryTable } from '../../testing/every-table.ts'

const ENTRIES = 5

/** Two tenants with rows in every table and an editing log with valid hashes. */
export const addTwoTenants = async (superuser: pg.PoolConfig) => {
  const pool = new pg.Pool({ ...superuser, max: 1 })
  await pool.query("insert into tenants (id) values ('a'), ('b')")
  await pool.query("insert into tenant_hosts (host, tenant_id) values ('a.example', 'a'), ('b.example', 'b')")
  for (const tenant of ['a', 'b']) await seedEveryTable(pool, tenant)
  // The hashes in the seed are placeholders.
  await pool.query(
    "set session_replication_role = 'replica'; delete from audit_log; delete from audit_ends; delete from audit_heads; reset session_replication_role",
  )
  const client = await pool.connect()
  for (const tenant of ['a', 'b']) {
    await client.query(`begin; set local app.tenant_id = '${tenant}'; set local app."group" = ''`)
    for (let entry = 1; entry <= ENTRIES; entry++)
      await recordAudit(createKysely(client), tenant, new Date(), {
        performer: 'ada',
        action: 'pool.update',
        performee: `thing ${entry}\t\\N "of" ${tenant}`,
        details: { letters: 'Utqiaġvik ☃', nothing: null },
      })
    await client.query(
      `insert into audit_heads select tenant_id, date '2026-11-01', seq, hash from audit_log where seq = 3 and tenant_id = '${tenant}'`,
    )
    await client.query('commit')
  }
  client.release()
  await pool.end()
}
