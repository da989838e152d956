import type { Retention } from '#contract/tenant-settings.ts'
import { purgeApiTokens } from '../api-tokens/purge-tokens.ts'
import { purgeBulkChanges } from '../bulk/change-rows.ts'
import { purgeEvents } from '../events/purge-events.ts'
import { trimRateLimits } from '../identity/rate-limits.ts'
import { purgeIncidents } from '../incidents/purge-incidents.ts'
import { purgeMaintenanceWindows } from '../maintenance/window-rows.ts'
import type { Database } from '../platform/database/database.ts'
import { purgeOldResponses } from '../platform/http/idempotency.ts'
import { purgeReports } from '../reports/stored-reports.ts'
import { purgeShareLinks } from '../share-links/link-rows.ts'
import { purgeAttempts } from '../single-sign-on/attempts.ts'
import { getRetention } from '../tenants/tenant-settings.ts'
import { purgeVersions } from '../time-travel/purge-versions.ts'

const DAY_MS = 86_400_000

/** Retained for a while after they end, to investigate complaints. */
const ENDED_SESSION_RETENTION_DAYS = 30

/**
 * Deletes a tenant's expired rate limits, codes, passwords, sessions, API tokens and responses; its old events,
 * incidents, maintenance windows, reports, share links, bulk changes and facts of the past; and the tickets, messages,
 * webhook deliveries and security events past the retention of the tenant, or else of the installation.
 */
export const purgeExpired = async (database: Database, tenantId: string, now: Date, installation: Retention) => {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  await database.transaction({ tenantId }, (db) => trimRateLimits(db, tenantId, now))
  await database.transaction({ tenantId }, async (db) => {
    const retention = await getRetention(db, tenantId, installation)
    await db.deleteFrom('sign_in_codes').where('tenant_id', '=', tenantId).where('expires_at', '<', before(1)).execute()
    await db.deleteFrom('passkey_challenges').where('tenant_id', '=', tenantId).where('expires_at', '<', now).execute()
    await db
      .deleteFrom('mailed_passwords')
      .where('tenant_id', '=', tenantId)
      .where('expires_at', '<', before(2))
      .execute()
    const sessionLimit = before(ENDED_SESSION_RETENTION_DAYS)
    await db
      .deleteFrom('sessions')
      .where('tenant_id', '=', tenantId)
      .where((eb) => eb.or([eb('ended_at', '<', sessionLimit), eb('expires_at', '<', sessionLimit)]))
      .execute()
    await purgeApiTokens(db, tenantId, sessionLimit)
    await db
      .updateTable('messages')
      .set({ sealed_body: null })
      .where('tenant_id', '=', tenantId)
      .where('expires_at', '<', now)
      .where('sealed_body', 'is not', null)
      .execute()
    await db
      .deleteFrom('messages')
      .where('tenant_id', '=', tenantId)
      .where('created_at', '<', before(retention.messageRetentionDays))
      .execute()
    await db
      .deleteFrom('webhook_deliveries')
      .where('tenant_id', '=', tenantId)
      .where('created_at', '<', before(retention.messageRetentionDays))
      .execute()
    await db
      .deleteFrom('security_events')
      .where('tenant_id', '=', tenantId)
      .where('last_at', '<', before(retention.securityEventRetentionDays))
      .execute()
    await db
      .deleteFrom('tickets')
      .where('tenant_id', '=', tenantId)
      .where('created_at', '<', before(retention.ticketRetentionDays))
      .execute()
    await db.deleteFrom('phone_codes').where('tenant_id', '=', tenantId).where('expires_at', '<', before(1)).execute()
    await purgeAttempts(db, tenantId, now)
    await purgeOldResponses(db, tenantId, now)
    await purgeEvents(db, tenantId, now)
    await purgeIncidents(db, tenantId, now)
    await purgeMaintenanceWindows(db, tenantId, now)
    await purgeReports(db, tenantId, now)
    await purgeShareLinks(db, tenantId, now)
    await purgeBulkChanges(db, tenantId, now)
    await purgeVersions(db, tenantId, now)
  })
}
