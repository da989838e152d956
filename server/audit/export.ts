import type { Database } from '../platform/database/database.ts'
import { formatAnchor, listAnchors, signAnchor } from './anchors.ts'
import { findAuditKey, getCurrentKey } from './keys.ts'
import { loadAllKeys } from './subjects.ts'

export const EXPORT_FORMAT = 'dishboard-audit/1'
const BATCH = 1_000

const listEntries = (database: Database, tenantId: string, after: number, until: number) =>
  database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('audit_log')
      .select(['seq', 'at', 'performer', 'action', 'performee', 'details', 'hash'])
      .where('tenant_id', '=', tenantId)
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .orderBy('seq')
      .limit(BATCH)
      .execute(),
  )

/** A tenant's log as lines of JSON that anyone can verify with the public key; `docs/audit-export.md` describes them. */
export async function* exportChain(database: Database, tenantId: string, now: Date) {
  const key = getCurrentKey()
  if (!key) throw new Error('An export needs the key of the installation.')
  const { end, anchors, subjectKeys } = await database.transaction({ tenantId }, async (db) => ({
    end: await db.selectFrom('audit_ends').select(['seq', 'hash']).where('tenant_id', '=', tenantId).executeTakeFirst(),
    anchors: await listAnchors(db, tenantId),
    subjectKeys: await loadAllKeys(db, tenantId),
  }))
  if (!end) throw new Error('There are no entries yet.')
  const known = anchors.filter(({ keyId, seq }) => findAuditKey(keyId) && seq < end.seq)
  const bySeq = Map.groupBy(known, ({ seq }) => seq)
  const keyIds = new Set([key.id, ...known.map(({ keyId }) => keyId)])
  const publicKeys = [...keyIds].map((id) => ({ id, publicKey: findAuditKey(id)?.publicKey }))
  const personKeys = Object.fromEntries([...subjectKeys].map(([id, subjectKey]) => [id, subjectKey.toString('base64')]))
  yield JSON.stringify({ format: EXPORT_FORMAT, tenant: tenantId, exportedAt: now, publicKeys, personKeys })
  for (let last = 0; last < end.seq; ) {
    const batch = await listEntries(database, tenantId, last, end.seq)
    for (const { seq, hash, ...entry } of batch) {
      yield JSON.stringify({ entry: seq, ...entry, hash: hash.toString('hex') })
      for (const anchor of bySeq.get(seq) ?? []) yield formatAnchor(anchor)
    }
    const newest = batch.at(-1)
    if (!newest) break
    last = newest.seq
  }
  yield formatAnchor(signAnchor(key, { tenantId, seq: end.seq, hash: end.hash, at: now }))
}
