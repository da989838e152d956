import { sql } from 'kysely'
import { type BulkLineState, type BulkProgress, maxShownLines } from '#contract/bulk.ts'
import type { Db } from '../platform/database/database.ts'

/** A terminal by its line and its position there, starting at 1. */
export interface Chosen {
  lineId: number
  place: number
}

/** The lines of a change that sets one value. */
export const insertLines = async (
  db: Db,
  tenantId: string,
  bulkId: string,
  chosen: readonly Chosen[],
  desired: string | null,
) => {
  await sql`
    insert into bulk_lines (tenant_id, bulk_id, position, service_line_id, place, desired)
    select ${tenantId}, ${bulkId}, position, line_id, place, ${desired}
    from unnest(${chosen.map(({ lineId }) => lineId)}::bigint[], ${chosen.map(({ place }) => place)}::smallint[])
      with ordinality as chosen (line_id, place, position)`.execute(db)
}

/** The lines of a change in reverse. */
export const insertUndoLines = async (db: Db, tenantId: string, bulkId: string, undoOf: string) => {
  await sql`
    insert into bulk_lines (tenant_id, bulk_id, position, service_line_id, place, desired, expected)
    select tenant_id, ${bulkId}, position, service_line_id, place, before, desired from bulk_lines
    where tenant_id = ${tenantId} and bulk_id = ${undoOf} and state = 'done'`.execute(db)
}

export interface WaitingLine extends Chosen {
  position: number
  desired: string | null
  /** The value that an undo expects. */
  expected: string | null
}

export const listWaiting = async (db: Db, tenantId: string, bulkId: string, most: number) => {
  const { rows } = await sql<WaitingLine>`
    select position, service_line_id as "lineId", place, desired, expected from bulk_lines
    where tenant_id = ${tenantId} and bulk_id = ${bulkId} and state = 'waiting'
    order by position limit ${most}`.execute(db)
  return rows
}

export interface Outcome {
  position: number
  state: Exclude<BulkLineState, 'waiting'>
  before?: string | null
  problem?: string
}

export const settleLines = async (db: Db, tenantId: string, bulkId: string, outcomes: readonly Outcome[]) => {
  await sql`
    update bulk_lines as line set state = outcome.state, before = outcome.before, problem = outcome.problem
    from unnest(${outcomes.map(({ position }) => position)}::integer[], ${outcomes.map(({ state }) => state)}::text[],
      ${outcomes.map(({ before }) => before ?? null)}::text[], ${outcomes.map(({ problem }) => problem ?? null)}::text[])
      as outcome (position, state, before, problem)
    where line.tenant_id = ${tenantId} and line.bulk_id = ${bulkId} and line.position = outcome.position`.execute(db)
}

export const countLines = async (db: Db, tenantId: string, bulkId: string): Promise<BulkProgress['counts']> => {
  const { rows } = await sql<{ state: BulkLineState; count: number }>`
    select state, count(*)::integer as count from bulk_lines where tenant_id = ${tenantId} and bulk_id = ${bulkId}
    group by state`.execute(db)
  const counts = { waiting: 0, done: 0, unchanged: 0, failed: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}

/** Failed lines first, then the newest. */
export const listLines = async (db: Db, tenantId: string, bulkId: string) => {
  const { rows } = await sql<BulkProgress['lines'][number]>`
    select coalesce(line.custom_name, line.nickname) as name, step.state, step.before, step.desired as after, step.problem
    from bulk_lines as step
    join service_lines as line on line.tenant_id = step.tenant_id and line.id = step.service_line_id
    where step.tenant_id = ${tenantId} and step.bulk_id = ${bulkId}
    order by step.state = 'failed' desc, step.state = 'waiting', step.position desc limit ${maxShownLines}`.execute(db)
  return rows
}
