import { createPublicKey, verify } from 'node:crypto'
import type { Db } from '../platform/database/database.ts'
import type { AuditKey } from './keys.ts'
import type { Head } from './verify.ts'

/** A signed statement that the entry has this hash. */
export interface Anchor extends Head {
  tenantId: string
  at: Date
  keyId: string
  signature: Buffer
}

/** The signed text. Any change to it needs a new version in the first line. */
const writeStatement = ({ tenantId, seq, hash, at }: Omit<Anchor, 'keyId' | 'signature'>) =>
  ['dishboard-audit-anchor/1', tenantId, seq, hash.toString('hex'), at.toISOString()].join('\n')

export const signAnchor = (key: AuditKey, about: Omit<Anchor, 'keyId' | 'signature'>): Anchor => ({
  ...about,
  keyId: key.id,
  signature: key.sign(writeStatement(about)),
})

export const isSignedBy = (publicKey: string, anchor: Anchor) => {
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(writeStatement(anchor)), key, anchor.signature)
}

const selectAnchors = (db: Db, tenantId: string) =>
  db
    .selectFrom('audit_anchors')
    .select(['tenant_id as tenantId', 'seq', 'hash', 'at', 'key_id as keyId', 'signature'])
    .where('tenant_id', '=', tenantId)

export const listAnchors = (db: Db, tenantId: string, afterSeq = 0): Promise<Anchor[]> =>
  selectAnchors(db, tenantId).where('seq', '>', afterSeq).orderBy('seq').execute()

const NEWEST = 20

/** A limited number of anchors, newest first. */
export const listNewestAnchors = (db: Db, tenantId: string): Promise<Anchor[]> =>
  selectAnchors(db, tenantId).orderBy('seq', 'desc').limit(NEWEST).execute()

/** One line of JSON, in the anchor file and in an export. */
export const formatAnchor = ({ tenantId, seq, hash, at, keyId, signature }: Anchor) =>
  JSON.stringify({
    anchor: seq,
    tenant: tenantId,
    hash: hash.toString('hex'),
    at: at.toISOString(),
    key: keyId,
    signature: signature.toString('base64'),
  })

/** Undefined if the line is not an anchor. */
export const parseAnchor = (line: Record<string, unknown>): Anchor | undefined => {
  const { anchor, tenant, hash, at, key, signature } = line
  if (typeof anchor !== 'number' || [tenant, hash, at, key, signature].some((each) => typeof each !== 'string'))
    return undefined
  return {
    seq: anchor,
    tenantId: tenant as string,
    hash: Buffer.from(hash as string, 'hex'),
    at: new Date(at as string),
    keyId: key as string,
    signature: Buffer.from(signature as string, 'base64'),
  }
}
