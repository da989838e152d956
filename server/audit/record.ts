import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Json } from '../schema.ts'

export interface AuditEntry {
  /** An e-mail address, or the name of a job or command. */
  performer: string
  action: string
  performee: string
  details?: Json
}

const NO_HASH = Buffer.alloc(32)

/** Keys in order, so that the same fact always gives the same text; jsonb does not keep the order it was given. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value).filter(([, item]) => item !== undefined)
  return `{${pairs
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)
    .join(',')}}`
}

/** Adds one entry in the transaction of the change it tells of, chained to the tenant's entry before it. */
export const recordAudit = async (db: Db, tenantId: string, now: Date, entry: AuditEntry) => {
  // The chain has one end; two changes at once take turns, until the first has committed.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`audit:${tenantId}`}, 0))`.execute(db)
  const last = await db
    .selectFrom('audit_log')
    .select(['seq', 'hash'])
    .where('tenant_id', '=', tenantId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = {
    tenant_id: tenantId,
    seq: (last?.seq ?? 0) + 1,
    at: now,
    performer: entry.performer,
    action: entry.action,
    performee: entry.performee,
    details: entry.details ?? {},
  }
  const previous = last?.hash ?? NO_HASH
  const hash = createHash('sha256')
    .update(previous)
    .update(canonicalJson({ ...row, at: now.toISOString() }))
    .digest()
  await db
    .insertInto('audit_log')
    .values({ ...row, details: JSON.stringify(row.details), previous_hash: previous, hash })
    .execute()
}
