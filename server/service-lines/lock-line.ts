import { sql } from 'kysely'
import { forbidden } from '#contract/errors.ts'
import type { Db } from '../platform/database/database.ts'

export interface LineRow {
  id: number
  service_line_number: string
  nickname: string
  custom_name: string | null
  metadata1: string | null
  metadata2: string | null
  metadata3: string | null
}

/**
 * Finds the line that a path names by number, nickname or kit number, and locks it until the transaction ends. A line
 * of another group and an unknown line give the same error.
 */
export const lockLine = async (db: Db, tenantId: string, key: string): Promise<LineRow> => {
  const { rows } = await sql<LineRow>`
    select line.id, line.service_line_number, line.nickname, line.custom_name,
      line.metadata1, line.metadata2, line.metadata3
    from service_lines as line
    where line.tenant_id = ${tenantId} and line.removed_at is null and line.id = (
      select found.id
      from (
        select id, 1 as choice from service_lines
        where tenant_id = ${tenantId} and service_line_number = ${key} and removed_at is null
        union all
        select id, 2 from service_lines where tenant_id = ${tenantId} and nickname = ${key} and removed_at is null
        union all
        select service_line_id, 3 from terminals
        where tenant_id = ${tenantId} and kit_serial = ${key} and removed_at is null
      ) as found
      join service_lines as visible on visible.tenant_id = ${tenantId} and visible.id = found.id
      order by found.choice, found.id
      limit 1)
    for update of line`.execute(db)
  if (!rows[0]) throw forbidden('You are not authorized to view this terminal.')
  return rows[0]
}
