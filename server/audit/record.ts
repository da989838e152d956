import type { AuditAction } from '#contract/audit-sentences.ts'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { findTokenName } from '../platform/database/transaction-token.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { hashLink, NO_HASH } from './chain.ts'
import { hideNames } from './hide-names.ts'
import { getCurrentKey } from './keys.ts'

export interface AuditEntry {
  /** An email address, or the name of a job or command. */
  performer: string
  action: AuditAction
  performee: string
  /** `before` and `after` of a change. Never a secret: administrators read it. */
  details?: Json
}

const ANCHOR_DELAY_MS = 30_000

/** The current end of the chain, locked until the transaction ends, so that concurrent changes are serialized. */
const lockEnd = (db: Db, tenantId: string) =>
  db
    .insertInto('audit_ends')
    .values({ tenant_id: tenantId, seq: 0, hash: NO_HASH })
    .onConflict((clash) => clash.column('tenant_id').doUpdateSet({ tenant_id: tenantId }))
    .returning(['seq', 'hash', 'anchored_seq'])
    .executeTakeFirstOrThrow()

/** Names the API token in the entry, if one was used. */
const addToken = (details: Json, token: string | undefined): Json =>
  token !== undefined && typeof details === 'object' && details !== null && !Array.isArray(details)
    ? { ...details, token }
    : details

/** Adds one entry in the transaction of the change it describes, chained to the tenant's previous entry. */
export const recordAudit = async (db: Db, tenantId: string, now: Date, entry: AuditEntry) => {
  const end = await lockEnd(db, tenantId)
  const { performer, action, performee } = entry
  const details = addToken(entry.details ?? {}, findTokenName(db))
  const named = await hideNames(db, tenantId, { performer, performee, details })
  const link = { tenant_id: tenantId, seq: end.seq + 1, at: now, action, ...named }
  const hash = hashLink(end.hash, link)
  const key = getCurrentKey()
  const seal = key && { key_id: key.id, seal: key.seal(hash) }
  await db
    .with('entry', (query) =>
      query
        .insertInto('audit_log')
        .values({ ...link, details: JSON.stringify(link.details), previous_hash: end.hash, hash, ...seal }),
    )
    .updateTable('audit_ends')
    .set({ seq: link.seq, hash })
    .where('tenant_id', '=', tenantId)
    .execute()
  // Otherwise an anchor is already scheduled.
  if (end.seq === end.anchored_seq)
    await enqueue(db, 'audit-anchors', tenantId, { dueAt: new Date(now.getTime() + ANCHOR_DELAY_MS) })
}
