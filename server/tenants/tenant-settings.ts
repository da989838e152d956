import {
  type Retention,
  resolveRetention,
  type SettingsChange,
  type TenantSettings,
} from '#contract/tenant-settings.ts'
import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'
import type { JsonObject } from '../platform/database/schema.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

const columns = {
  ticketRetentionDays: 'ticket_retention_days',
  messageRetentionDays: 'message_retention_days',
  securityEventRetentionDays: 'security_event_retention_days',
  settlingMinutes: 'settling_minutes',
  addressRadiusKm: 'address_radius_km',
  borderKm: 'border_km',
  roamingDays: 'roaming_days',
  timeZone: 'time_zone',
  units: 'units',
  secondFactorForAdmins: 'second_factor_for_admins',
  secondFactorForUsers: 'second_factor_for_users',
  publicStatus: 'public_status',
} as const satisfies Record<keyof TenantSettings, string>

type Name = keyof TenantSettings
const names = Object.keys(columns) as Name[]

/** The table has the same defaults. */
const DEFAULTS: TenantSettings = {
  ticketRetentionDays: null,
  messageRetentionDays: null,
  securityEventRetentionDays: null,
  settlingMinutes: 5,
  addressRadiusKm: 50,
  borderKm: 20,
  roamingDays: 30,
  timeZone: 'UTC',
  units: 'metric',
  secondFactorForAdmins: false,
  secondFactorForUsers: false,
  publicStatus: false,
}

const selectSettings = (db: Db, tenantId: string) =>
  db
    .selectFrom('tenant_settings')
    .select(names.map((name) => `${columns[name]} as ${name}` as const))
    .where('tenant_id', '=', tenantId)

export const getTenantSettings = async (db: Db, tenantId: string): Promise<TenantSettings> =>
  ((await selectSettings(db, tenantId).executeTakeFirst()) as TenantSettings | undefined) ?? DEFAULTS

export const getRetention = async (db: Db, tenantId: string, installation: Retention) =>
  resolveRetention({ settings: await getTenantSettings(db, tenantId), installation })

/** The settings, locked until the transaction ends. */
export const lockTenantSettings = async (db: Db, tenantId: string) => {
  await db
    .insertInto('tenant_settings')
    .values({ tenant_id: tenantId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await selectSettings(db, tenantId).forUpdate().executeTakeFirstOrThrow()) as TenantSettings
}

/** Applies the fields that differ from `before`, and records the change. */
export const changeTenantSettings = async (
  db: Db,
  tenantId: string,
  by: { performer: string; now: Date },
  before: TenantSettings,
  change: SettingsChange,
) => {
  const after: TenantSettings = { ...before }
  const changed = names.filter((name) => change[name] !== undefined && change[name] !== before[name])
  if (changed.length === 0) return { after, changed }
  Object.assign(after, Object.fromEntries(changed.map((name) => [name, change[name]])))
  await db
    .updateTable('tenant_settings')
    .set(Object.fromEntries(changed.map((name) => [columns[name], after[name]])))
    .set({ updated_at: by.now })
    .where('tenant_id', '=', tenantId)
    .execute()
  const pick = (settings: TenantSettings) =>
    Object.fromEntries(changed.map((name) => [name, settings[name]])) as JsonObject
  await recordAudit(db, tenantId, by.now, {
    performer: by.performer,
    action: 'tenant.settings',
    performee: tenantId,
    details: { before: pick(before), after: pick(after) },
  })
  // A status change may settle sooner.
  if (changed.includes('settlingMinutes')) await enqueue(db, 'notifications', tenantId)
  return { after, changed }
}
