import { sql } from 'kysely'
import { conflict, invalid } from '#contract/errors.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Db } from '../platform/database/database.ts'

/** Two saves that swap lines would deadlock, so the saves of a tenant are serialized. */
export const lockMembership = async (db: Db, tenantId: string) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pools:${tenantId}`}, 0))`.execute(db)
}

interface Line {
  id: number
  number: string
  group: string
}

/** The lines of a pool that the transaction's scope sees. */
export const listMembers = async (db: Db, tenantId: string, poolId: number): Promise<Line[]> =>
  db
    .selectFrom('pool_lines as member')
    .innerJoin('service_lines as line', (join) =>
      join.onRef('line.tenant_id', '=', 'member.tenant_id').onRef('line.id', '=', 'member.service_line_id'),
    )
    .select(['line.id', 'line.service_line_number as number', 'line.group_name as group'])
    .where('member.tenant_id', '=', tenantId)
    .where('member.pool_id', '=', poolId)
    .orderBy('line.id')
    .execute()

const getLines = async (db: Db, tenantId: string, numbers: ReadonlySet<string>): Promise<Line[]> => {
  if (numbers.size === 0) return []
  const lines = await db
    .selectFrom('service_lines')
    .select(['id', 'service_line_number as number', 'group_name as group'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`service_line_number = any(${[...numbers]}::text[])`)
    .orderBy('id')
    .execute()
  const known = new Set(lines.map(({ number }) => number))
  const unknown = [...numbers].find((number) => !known.has(number))
  if (unknown !== undefined) throw invalid(`assigned_service_lines: there is no service line ${unknown}.`)
  return lines
}

export const removeMembers = async (db: Db, tenantId: string, poolId: number, lineIds: readonly number[]) => {
  if (lineIds.length === 0) return
  await db
    .deleteFrom('pool_lines')
    .where('tenant_id', '=', tenantId)
    .where('pool_id', '=', poolId)
    .where(sql<boolean>`service_line_id = any(${lineIds}::bigint[])`)
    .execute()
  await notifyLinesChanged(db, tenantId, lineIds)
}

/** Returns the lines that were added: one in another pool stays there. */
export const addMembers = async (db: Db, tenantId: string, poolId: number, lineIds: readonly number[]) => {
  if (lineIds.length === 0) return new Set<number>()
  const { rows } = await sql<{ service_line_id: number }>`
    insert into pool_lines (tenant_id, service_line_id, pool_id)
    select ${tenantId}, id, ${poolId} from unnest(${lineIds}::bigint[]) as id
    on conflict do nothing
    returning service_line_id`.execute(db)
  const added = new Set(rows.map((row) => row.service_line_id))
  await notifyLinesChanged(db, tenantId, added)
  return added
}

export interface MembershipChange {
  members: Line[]
  added: string[]
  removed: string[]
}

/**
 * Replaces the lines of the pool with the given ones. Lines that the scope does not see stay. A line in another pool is
 * refused.
 */
export const setMembers = async (
  db: Db,
  tenantId: string,
  poolId: number,
  numbers: readonly string[],
): Promise<MembershipChange> => {
  const wanted = await getLines(db, tenantId, new Set(numbers))
  const current = await listMembers(db, tenantId, poolId)
  const wantedIds = new Set(wanted.map(({ id }) => id))
  const currentIds = new Set(current.map(({ id }) => id))
  const removed = current.filter(({ id }) => !wantedIds.has(id))
  const added = wanted.filter(({ id }) => !currentIds.has(id))
  await removeMembers(
    db,
    tenantId,
    poolId,
    removed.map(({ id }) => id),
  )
  const free = await addMembers(
    db,
    tenantId,
    poolId,
    added.map(({ id }) => id),
  )
  const taken = added.find(({ id }) => !free.has(id))
  if (taken) throw conflict(`Service line ${taken.number} is in another pool already.`)
  return {
    members: wanted,
    added: added.map(({ number }) => number),
    removed: removed.map(({ number }) => number),
  }
}

/** A pool's cycles start on the same day as most of its lines' cycles, and without lines on the first of the month. */
export const findAnchorDay = async (db: Db, tenantId: string, lineIds: readonly number[]): Promise<number> => {
  const { rows } = await sql<{ day: number }>`
    select extract(day from newest.cycle_start)::integer as day
    from (
      select distinct on (service_line_id) cycle_start from line_usage
      where tenant_id = ${tenantId} and service_line_id = any(${lineIds}::bigint[])
      order by service_line_id, cycle_start desc
    ) as newest
    group by 1 order by count(*) desc, 1 limit 1`.execute(db)
  return rows[0]?.day ?? 1
}
