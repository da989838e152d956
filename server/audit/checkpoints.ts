import type { Db } from '../platform/database/database.ts'
import { type Anchor, isSignedBy, listAnchors } from './anchors.ts'
import { findAuditKey } from './keys.ts'
import type { Head } from './verify.ts'

/** An entry whose hash is known from a source other than the log. */
export interface Checkpoint extends Head {
  /** Whether the database alone could not have produced it. Evaluated lazily, because verifying signatures takes time. */
  isTrusted: () => boolean
  /** Whether it can be verified: not if it was signed with a key that this process does not have. */
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

/** The checkpoints along the chain, including its required end. `given` come from outside the database. */
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
