import { sql } from 'kysely'
import type { MetadataField } from '#contract/service-lines.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { LineValues } from './line-values.ts'

export const createMetadataValues = (field: MetadataField): LineValues => ({
  read: async (db, { tenantId }, lineIds) => {
    const { rows } = await sql<{ id: number; value: string | null }>`
      select id, ${sql.ref(field)} as value from service_lines
      where tenant_id = ${tenantId} and id = any(${lineIds}::bigint[])`.execute(db)
    return new Map(rows.map(({ id, value }) => [id, value]))
  },
  write: async (db, { tenantId }, changes) => {
    const lineIds = changes.map(({ lineId }) => lineId)
    await sql`
      update service_lines as line set ${sql.ref(field)} = change.value
      from unnest(${lineIds}::bigint[], ${changes.map(({ desired }) => desired)}::text[]) as change (id, value)
      where line.tenant_id = ${tenantId} and line.id = change.id`.execute(db)
    await notifyLinesChanged(db, tenantId, lineIds)
    return new Map()
  },
  action: 'service_line.metadata',
  describe: (value) => ({ [field]: value }),
})
