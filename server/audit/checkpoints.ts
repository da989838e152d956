import type { Db } from '../platform/database/database.ts'
import { type Anchor, isSignedBy, listAnchors } from './anchors.ts'
import { findAuditKey } from './keys.ts'
import type { Head } from './verify.ts'

/** An entry whose hash is known from somewhere other than the log. */
export interface Checkpoint extends Head {
  /** Whether the database alone could not have produced it. Checked when it matters, because signatures take time. */
  isTrusted: () => boolean
  /** Whether it says anything: a signature of a key that this process does not have says nothing. */
  isKnown: boolean
  isAnchor: boolean
}

const toCheckpoint = (head: Head, isTrusted: boolean): Checkpoint => ({
  seq: head.seq,
  hash: head.hash,
  isTrusted: () => isTrusted,
  isKnown: true,
  isAnchor: false,
})

const fromAnchor = (anchor: Anchor): Checkpoint => {
  const key = findAuditKey(anchor.keyId)
  return {
    seq: anchor.seq,
    hash: anchor.hash,
    isTrusted: () => key !== undefined && isSignedBy(key.publicKey, anchor),
    isKnown: key !== undefined,
    isAnchor: true,
  }
}

interface Options {
  afterSeq: number
  withSeals: boolean
}

/** Where the chain must end, and the hashes recorded of it on the way. `given` come from outside of the database. */
export const listCheckpoints = async (db: Db, tenantId: string, given: Head[], { afterSeq, withSeals }: Options) => {
  const end = await db
    .selectFrom('audit_ends')
    .select(['seq', 'hash'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  const mailed = await db
    .selectFrom('audit_heads')
    .select(['seq', 'hash'])
    .where('tenant_id', '=', tenantId)
    .where('seq', '>', afterSeq)
    .orderBy('seq')
    .execute()
  const anchors = withSeals ? await listAnchors(db, tenantId, afterSeq) : []
  const checkpoints = [
    ...[...mailed, ...(end ? [end] : [])].map((head) => toCheckpoint(head, false)),
    ...given.filter(({ seq }) => seq > afterSeq).map((head) => toCheckpoint(head, true)),
    ...anchors.map(fromAnchor),
  ]
  return { checkpoints: checkpoints.filter(({ isKnown }) => isKnown).sort((a, b) => a.seq - b.seq), end }
}
