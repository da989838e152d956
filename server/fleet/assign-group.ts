import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { notifyLinesChanged } from './notify.ts'

interface Assignment {
  tenantId: string
  serviceLineNumbers: readonly string[]
  group: string
}

/** Moves service lines to a group of the tenant; the users of that group can then see them. */
export const assignGroup = async (db: Db, { tenantId, serviceLineNumbers, group }: Assignment): Promise<void> => {
  if (serviceLineNumbers.length === 0) return
  const changed = await db
    .updateTable('service_lines')
    .set({ group_name: group })
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`service_line_number = any(${serviceLineNumbers}::text[])`)
    .where('group_name', '<>', group)
    .returning('id')
    .execute()
  await notifyLinesChanged(
    db,
    tenantId,
    changed.map(({ id }) => id),
  )
}
