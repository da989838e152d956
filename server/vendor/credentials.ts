import type { Db } from '../platform/database/database.ts'
import type { SealedColumn } from '../platform/sealed-columns.ts'
import type { Secrets } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

export interface VendorCredential {
  id: number
  tenantId: string
  baseUrl: string
  tokenUrl: string
  clientId: string
  clientSecret: string
}

export type NewVendorCredential = Omit<VendorCredential, 'id'>

const buildPurpose = (tenantId: string, clientId: string) => `vendor:${tenantId}:${clientId}`

export const sealedClientSecret: SealedColumn = {
  table: 'vendor_credentials',
  column: 'client_secret',
  idColumn: 'client_id',
  buildPurpose,
}

/** Connects a vendor account to a tenant. Connecting the same account again replaces its addresses and its secret. */
export const connectVendor = async (
  db: Db,
  secrets: Pick<Secrets, 'seal'>,
  { tenantId, baseUrl, tokenUrl, clientId, clientSecret }: NewVendorCredential,
): Promise<number> => {
  const sealed = secrets.seal(clientSecret, buildPurpose(tenantId, clientId))
  const { id } = await db
    .insertInto('vendor_credentials')
    .values({
      tenant_id: tenantId,
      base_url: baseUrl,
      token_url: tokenUrl,
      client_id: clientId,
      client_secret: sealed,
    })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'client_id']).doUpdateSet({
        base_url: baseUrl,
        token_url: tokenUrl,
        client_secret: sealed,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(db, 'vendor-feeds', tenantId, { subject: String(id) })
  return id
}

const selectCredentials = (db: Db, tenantId: string) =>
  db
    .selectFrom('vendor_credentials')
    .select(['id', 'base_url', 'token_url', 'client_id', 'client_secret'])
    .where('tenant_id', '=', tenantId)

type CredentialRow = Awaited<ReturnType<ReturnType<typeof selectCredentials>['executeTakeFirstOrThrow']>>

const openCredential = (secrets: Pick<Secrets, 'open'>, tenantId: string, row: CredentialRow): VendorCredential => ({
  id: row.id,
  tenantId,
  baseUrl: row.base_url,
  tokenUrl: row.token_url,
  clientId: row.client_id,
  clientSecret: secrets.open(row.client_secret, buildPurpose(tenantId, row.client_id)),
})

/** Reads no other credential, so that a secret that cannot be decrypted blocks only its own credential. */
export const findCredential = async (
  db: Db,
  secrets: Pick<Secrets, 'open'>,
  tenantId: string,
  credentialId: number,
): Promise<VendorCredential | undefined> => {
  const row = await selectCredentials(db, tenantId).where('id', '=', credentialId).executeTakeFirst()
  return row && openCredential(secrets, tenantId, row)
}

export const listCredentials = async (
  db: Db,
  secrets: Pick<Secrets, 'open'>,
  tenantId: string,
): Promise<VendorCredential[]> => {
  const rows = await selectCredentials(db, tenantId).orderBy('id').execute()
  return rows.map((row) => openCredential(secrets, tenantId, row))
}
