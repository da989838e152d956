import { sql } from 'kysely'
import { notFound } from '#contract/errors.ts'
import { assignLines } from '../plans/assign-lines.ts'
import type { Db } from '../platform/database/database.ts'
import type { LineChange, LineValues } from './line-values.ts'

const TAKEN = 'It is in another pool already.'
const HIDDEN = 'It is in a pool that you cannot see.'

/** The names of the pools visible to the transaction, by id. */
const readPoolNames = async (db: Db, tenantId: string, ids: readonly string[]) => {
  const { rows } = await sql<{ id: string; name: string }>`
    select id::text, name from pools
    where tenant_id = ${tenantId} and id = any(${ids.map(Number)}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The lines that the change adds or has added to a pool. */
const listGiven = async (db: Db, tenantId: string, bulkId: string, poolId: string) => {
  const { rows } = await sql<{ id: number }>`
    select service_line_id as id from bulk_lines as step
    where tenant_id = ${tenantId} and bulk_id = ${bulkId} and desired = ${poolId} and state in ('waiting', 'done')
      and not exists (select from pool_lines as member where member.tenant_id = step.tenant_id
        and member.service_line_id = step.service_line_id and member.pool_id <> ${Number(poolId)})`.execute(db)
  return rows.map(({ id }) => id)
}

/** The pool of a line, by id. The rules are those of the pool page: a line in another pool stays there. */
export const createPoolValues = (bulkId: string | undefined): LineValues => ({
  read: async (db, { tenantId }, lineIds) => {
    const { rows } = await sql<{ id: number; pool: string }>`
      select service_line_id as id, pool_id::text as pool from pool_lines
      where tenant_id = ${tenantId} and service_line_id = any(${lineIds}::bigint[])`.execute(db)
    return new Map(rows.map(({ id, pool }) => [id, pool]))
  },
  readNames: readPoolNames,
  requireSeen: async (db, tenantId, pool) => {
    if (!(await readPoolNames(db, tenantId, [pool])).has(pool)) throw notFound('There is no such pool.')
  },
  findProblem: ({ before, desired }) => (before !== null && desired !== null ? TAKEN : undefined),
  write: async (db, performer, changes) => {
    const { tenantId } = performer
    const problems = new Map<number, string>()
    const byPool = Map.groupBy(changes, ({ before, desired }) => desired ?? before ?? '')
    const visible = await readPoolNames(db, tenantId, [...byPool.keys()])
    for (const [pool, its] of byPool) {
      if (!visible.has(pool)) {
        for (const { lineId } of its) problems.set(lineId, HIDDEN)
        continue
      }
      const pick = (wanted: (change: LineChange) => boolean) => its.filter(wanted).map(({ lineId }) => lineId)
      const added = pick(({ desired }) => desired !== null)
      const assigned = await assignLines(db, performer, Number(pool), {
        added,
        removed: pick(({ desired }) => desired === null),
        first: bulkId === undefined ? added : await listGiven(db, tenantId, bulkId, pool),
      })
      for (const lineId of added) if (!assigned.has(lineId)) problems.set(lineId, TAKEN)
    }
    return problems
  },
  action: 'service_line.pool',
  describe: (pool) => ({ pool }),
})
