import { sealedTotpSecret } from '../factors/totp.ts'
import { sealedMessageBody } from '../messages/sealed-body.ts'
import { inspectSealedColumn, type SealedColumn } from '../platform/sealed-columns.ts'
import { sealedSsoSecret } from '../single-sign-on/connection.ts'
import { sealedSsoTokens } from '../single-sign-on/sessions.ts'
import { sealedClientSecret } from '../vendor/credentials.ts'
import { sealedPreviousSecret, sealedSecret } from '../webhooks/secret.ts'
import type { Installation } from './installation.ts'

/** Every column with encrypted values. Key rotation re-encrypts these, so a missing column would be lost with the old key. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedClientSecret,
  sealedMessageBody,
  sealedTotpSecret,
  sealedSecret,
  sealedPreviousSecret,
  sealedSsoSecret,
  ...sealedSsoTokens,
]

export const listTenantIds = async ({ database }: Pick<Installation, 'database'>) =>
  (await database.outsideTenants.selectFrom('tenants').select('id').orderBy('id').execute()).map(({ id }) => id)

/** How many values the current key did not encrypt, and the names of those that no key can decrypt. */
export const inspectSealedValues = async ({ database, secrets }: Pick<Installation, 'database' | 'secrets'>) => {
  let outdated = 0
  const unreadable: string[] = []
  for (const tenantId of await listTenantIds({ database }))
    for (const column of sealedColumns) {
      const found = await inspectSealedColumn({ database, secrets, tenantId, column })
      outdated += found.outdated
      unreadable.push(...found.unreadable.map((id) => `${column.table}.${column.column} of ${tenantId}/${id}`))
    }
  return { outdated, unreadable }
}
