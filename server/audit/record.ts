import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { hashLink, NO_HASH } from './chain.ts'

export interface AuditEntry {
  /** An e-mail address, or the name of a job or command. */
  performer: string
  action: string
  performee: string
  /** `before` and `after` where something was changed. Never a secret: administrators read it. */
  details?: Json
}

/** Where the chain ends now; held until the transaction is over, because two changes at once must take turns. */
const lockEnd = (db: Db, tenantId: string) =>
  db
    .insertInto('audit_ends')
    .values({ tenant_id: tenantId, seq: 0, hash: NO_HASH })
    .onConflict((clash) => clash.column('tenant_id').doUpdateSet({ tenant_id: tenantId }))
    .returning(['seq', 'hash'])
    .executeTakeFirstOrThrow()

/** Adds one entry in the transaction of the change it describes, chained to the tenant's previous entry. */
export const recordAudit = async (db: Db, tenantId: string, now: Date, entry: AuditEntry) => {
  const end = await lockEnd(db, tenantId)
  const { performer, action, performee, details = {} } = entry
  const link = { tenant_id: tenantId, seq: end.seq + 1, at: now, performer, action, performee, details }
  const hash = hashLink(end.hash, link)
  await db
    .with('entry', (query) =>
      query
        .insertInto('audit_log')
        .values({ ...link, details: JSON.stringify(details), previous_hash: end.hash, hash }),
    )
    .updateTable('audit_ends')
    .set({ seq: link.seq, hash })
    .where('tenant_id', '=', tenantId)
    .execute()
}
