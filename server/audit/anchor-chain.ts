import type { Database, Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { appendAnchor, appendRestart, readAnchorFile } from './anchor-file.ts'
import { type Anchor, isSignedBy, listNewestAnchors, signAnchor } from './anchors.ts'
import { findAuditKey, getCurrentKey } from './keys.ts'
import { type Fault, verifyChain } from './verify.ts'

interface Options {
  now: Date
  dataDir: string
}

const insertAnchor = async (db: Db, anchor: Anchor) => {
  const { tenantId, keyId, seq, hash, at, signature } = anchor
  await db
    .insertInto('audit_anchors')
    .values({ tenant_id: tenantId, seq, hash, at, key_id: keyId, signature })
    .onConflict((clash) => clash.doNothing())
    .execute()
  await db.updateTable('audit_ends').set({ anchored_seq: seq }).where('tenant_id', '=', tenantId).execute()
  await recordSecurityEvent(db, tenantId, at, {
    kind: 'log_anchored',
    account: '',
    actor: 'editing log',
    details: { entry: seq, hash: hash.toString('hex'), key: keyId, signature: signature.toString('base64') },
  })
}

/** The newest anchor in the database that we signed: everything before it was verified when it was created. */
const findNewestSigned = async (db: Db, tenantId: string) =>
  (await listNewestAnchors(db, tenantId)).find((anchor) => {
    const key = findAuditKey(anchor.keyId)
    return key !== undefined && isSignedBy(key.publicKey, anchor)
  })

/**
 * Signs the current end of a tenant's chain, and writes the anchor to the data folder and to the database, which also
 * forwards it to the operator's security log. Never signs an end that does not continue the newest anchor.
 */
export const anchorChain = async (
  database: Database,
  tenantId: string,
  { now, dataDir }: Options,
): Promise<Fault | undefined> => {
  const key = getCurrentKey()
  if (!key) return undefined
  const written = await readAnchorFile(dataDir, tenantId)
  return database.transaction({ tenantId }, async (db) => {
    const after = await findNewestSigned(db, tenantId)
    const { fault, head } = await verifyChain(db, tenantId, written, { after })
    if (fault) return fault
    if (!head || (after?.seq === head.seq && after.keyId === key.id)) return undefined
    const anchor = signAnchor(key, { tenantId, ...head, at: now })
    await appendAnchor(dataDir, anchor)
    await insertAnchor(db, anchor)
    return undefined
  })
}

const adoptChain = (database: Database, tenantId: string, { now, dataDir }: Options) =>
  database.transaction({ tenantId }, async (db): Promise<Fault | undefined> => {
    const key = getCurrentKey()
    const { fault, head } = await verifyChain(db, tenantId, [], { withSeals: false })
    if (fault || !head || !key) return fault
    const anchor = signAnchor(key, { tenantId, ...head, at: now })
    if ((await readAnchorFile(dataDir, tenantId)).length > 0) await appendRestart(dataDir, tenantId, now)
    await appendAnchor(dataDir, anchor)
    await insertAnchor(db, anchor)
    return undefined
  })

/**
 * Anchors every tenant's entries that have no seal, or a seal of another key: right after the migration that introduced
 * seals, and after a restore. Only then: otherwise an attacker who removes the seals would get forged entries signed.
 * Returns what is wrong with the entries of tenants whose chain is broken.
 */
export const adoptChains = async (database: Database, options: Options): Promise<string[]> => {
  const tenants = await database.outsideTenants.selectFrom('tenants').select('id').orderBy('id').execute()
  const problems: string[] = []
  for (const { id } of tenants) {
    const fault = await adoptChain(database, id, options)
    if (fault) problems.push(`The editing log of ${id} was altered. ${fault.problem}`)
  }
  return problems
}
