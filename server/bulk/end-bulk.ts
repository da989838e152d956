import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { publishEvents } from '../platform/publish-events.ts'

/** The pools that lines have joined or left by the change. */
const listChangedPools = async (db: Db, tenantId: string, id: string) => {
  const { rows } = await sql<{ id: number }>`
    select pool.id from pools as pool
    where pool.tenant_id = ${tenantId} and pool.id in (
      select coalesce(line.desired, line.before)::bigint from bulk_lines as line
      join bulk_changes as bulk on bulk.tenant_id = line.tenant_id and bulk.id = line.bulk_id
      where line.tenant_id = ${tenantId} and line.bulk_id = ${id} and line.state = 'done' and bulk.kind = 'pool')
    order by pool.id`.execute(db)
  return rows
}

interface End {
  state: 'finished' | 'stopped'
  problem?: string
}

/** Ends a change that runs, and publishes what it has done to pools: once for each, however many steps it took. */
export const endBulk = async (db: Db, tenantId: string, id: string, now: Date, { state, problem }: End) => {
  const { numAffectedRows } = await sql`
    update bulk_changes set state = ${state}, problem = ${problem ?? null}
    where tenant_id = ${tenantId} and id = ${id} and state = 'running'`.execute(db)
  if (!numAffectedRows) return
  const pools = await listChangedPools(db, tenantId, id)
  const events = pools.map((pool) => ({ type: 'pool.changed' as const, at: now, subject: { poolId: pool.id } }))
  await publishEvents(db, tenantId, events, now)
}
