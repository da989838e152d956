import type { Rule, SsoSettings } from '#contract/single-sign-on.ts'
import type { Db } from '../platform/database/database.ts'
import type { SealedColumn } from '../platform/sealed-columns.ts'
import type { Secrets } from '../platform/secrets.ts'

/** A tenant's connection to its provider. */
export interface Connection extends SsoSettings {
  tenantId: string
  clientSecret: string
}

const buildPurpose = (tenantId: string) => `sso:${tenantId}`

/** One row for each tenant. */
export const sealedSsoSecret: SealedColumn = {
  table: 'sso_connections',
  column: 'client_secret',
  idColumn: 'tenant_id',
  buildPurpose,
}

const selectConnection = (db: Db, tenantId: string) =>
  db.selectFrom('sso_connections').selectAll().where('tenant_id', '=', tenantId)

type ConnectionRow = Awaited<ReturnType<ReturnType<typeof selectConnection>['executeTakeFirstOrThrow']>>

const toSettings = (row: ConnectionRow): SsoSettings => ({
  issuer: row.issuer,
  clientId: row.client_id,
  scopes: row.scopes,
  buttonLabel: row.button_label,
  rules: row.rules as unknown as Rule[],
  recheckMinutes: row.recheck_minutes,
  graceMinutes: row.grace_minutes,
  isEnabled: row.is_enabled,
  isOnly: row.is_only,
})

export const findSettings = async (db: Db, tenantId: string): Promise<SsoSettings | undefined> => {
  const row = await selectConnection(db, tenantId).executeTakeFirst()
  return row && toSettings(row)
}

/** The connection for sign-ins, if single sign-on is enabled. */
export const findEnabledConnection = async (
  db: Db,
  secrets: Pick<Secrets, 'open'>,
  tenantId: string,
): Promise<Connection | undefined> => {
  const row = await selectConnection(db, tenantId).where('is_enabled', '=', true).executeTakeFirst()
  return row && { ...toSettings(row), tenantId, clientSecret: secrets.open(row.client_secret, buildPurpose(tenantId)) }
}

/** Stores the settings; without a new secret, the stored one is retained. */
export const storeConnection = async (
  db: Db,
  secrets: Pick<Secrets, 'seal'>,
  tenantId: string,
  settings: SsoSettings,
  clientSecret: string | undefined,
  now: Date,
) => {
  const row = {
    issuer: settings.issuer,
    client_id: settings.clientId,
    scopes: settings.scopes,
    button_label: settings.buttonLabel,
    rules: JSON.stringify(settings.rules),
    recheck_minutes: settings.recheckMinutes,
    grace_minutes: settings.graceMinutes,
    is_enabled: settings.isEnabled,
    is_only: settings.isOnly,
    updated_at: now,
  }
  if (clientSecret === undefined)
    return db.updateTable('sso_connections').set(row).where('tenant_id', '=', tenantId).execute()
  const sealed = { ...row, client_secret: secrets.seal(clientSecret, buildPurpose(tenantId)) }
  return db
    .insertInto('sso_connections')
    .values({ tenant_id: tenantId, ...sealed })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(sealed))
    .execute()
}
