import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { toArea } from './group-by-area.ts'
import { toCell } from './reports.ts'

/**
 * Every terminal that has reported and belongs to an active line, by area; those with an unknown position under
 * ''.
 */
export const listKnownTerminals = async (db: Db, tenantId: string): Promise<Map<string, number[]>> => {
  const { rows } = await sql<{
    id: number
    h3_cell: string | null
    latitude: number | null
    longitude: number | null
  }>`
    select latest.terminal_id as id, latest.h3_cell, line.latitude, line.longitude
    from latest
    join terminals as terminal on terminal.tenant_id = latest.tenant_id and terminal.id = latest.terminal_id
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where latest.tenant_id = ${tenantId} and line.active and line.removed_at is null`.execute(db)
  const areas = new Map<string, number[]>()
  for (const row of rows) {
    const cell = toCell(row)
    const area = cell === null ? '' : toArea(cell)
    const here = areas.get(area)
    if (here) here.push(row.id)
    else areas.set(area, [row.id])
  }
  return areas
}
