import type { Retention } from '#contract/tenant-settings.ts'
import { purgeApiTokens } from '../api-tokens/purge-tokens.ts'
import { purgeBulkChanges } from '../bulk/change-rows.ts'
import { purgeCommands } from '../commands/purge-commands.ts'
import { purgeEvents } from '../events/purge-events.ts'
import { trimRateLimits } from '../identity/rate-limits.ts'
import { purgeIncidents } from '../incidents/purge-incidents.ts'
import { purgeMaintenanceWindows } from '../maintenance/window-rows.ts'
import { purgeCrossings } from '../plans/purge-crossings.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { purgeOldResponses } from '../platform/http/idempotency.ts'
import { purgeReports } from '../reports/stored-reports.ts'
import { purgeShareLinks } from '../share-links/link-rows.ts'
import { purgeAttempts } from '../single-sign-on/attempts.ts'
import { purgeStatuses } from '../telemetry/purge-status.ts'
import { getRetention } from '../tenants/tenant-settings.ts'
import { purgeVersions } from '../time-travel/purge-versions.ts'

const DAY_MS = 86_400_000

/** Retained for a while after they end, to investigate complaints. */
const ENDED_SESSION_RETENTION_DAYS = 30

/**
 * Deletes a tenant's expired rate limits, codes, passwords, sessions, API tokens and responses; its old events,
 * incidents, maintenance windows, reports, share links, bulk changes, crossings of pools, statuses and facts of the past;
 * and the tickets, messages, webhook deliveries, security events and commands past the retention of the tenant, or else of
 * the installation. Each on its own: one that fails must not retain the others.
 */
export const purgeExpired = async (database: Database, tenantId: string, now: Date, installation: Retention) => {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const sessionLimit = before(ENDED_SESSION_RETENTION_DAYS)
  const retention = await database.transaction({ tenantId }, (db) => getRetention(db, tenantId, installation))
  const steps: ((db: Db) => Promise<unknown>)[] = [
    (db) => trimRateLimits(db, tenantId, now),
    (db) =>
      db.deleteFrom('sign_in_codes').where('tenant_id', '=', tenantId).where('expires_at', '<', before(1)).execute(),
    (db) =>
      db.deleteFrom('passkey_challenges').where('tenant_id', '=', tenantId).where('expires_at', '<', now).execute(),
    (db) =>
      db.deleteFrom('mailed_passwords').where('tenant_id', '=', tenantId).where('expires_at', '<', before(2)).execute(),
    (db) =>
      db
        .deleteFrom('sessions')
        .where('tenant_id', '=', tenantId)
        .where((eb) => eb.or([eb('ended_at', '<', sessionLimit), eb('expires_at', '<', sessionLimit)]))
        .execute(),
    (db) => purgeApiTokens(db, tenantId, sessionLimit),
    (db) =>
      db
        .updateTable('messages')
        .set({ sealed_body: null })
        .where('tenant_id', '=', tenantId)
        .where('expires_at', '<', now)
        .where('sealed_body', 'is not', null)
        .execute(),
    (db) =>
      db
        .deleteFrom('messages')
        .where('tenant_id', '=', tenantId)
        .where('created_at', '<', before(retention.messageRetentionDays))
        .execute(),
    (db) =>
      db
        .deleteFrom('webhook_deliveries')
        .where('tenant_id', '=', tenantId)
        .where('created_at', '<', before(retention.messageRetentionDays))
        .execute(),
    (db) =>
      db
        .deleteFrom('security_events')
        .where('tenant_id', '=', tenantId)
        .where('last_at', '<', before(retention.securityEventRetentionDays))
        .execute(),
    (db) =>
      db
        .deleteFrom('tickets')
        .where('tenant_id', '=', tenantId)
        .where('created_at', '<', before(retention.ticketRetentionDays))
        .execute(),
    (db) =>
      db.deleteFrom('phone_codes').where('tenant_id', '=', tenantId).where('expires_at', '<', before(1)).execute(),
    (db) => purgeAttempts(db, tenantId, now),
    (db) => purgeOldResponses(db, tenantId, now),
    (db) => purgeCommands(db, tenantId, now, retention.securityEventRetentionDays),
    (db) => purgeEvents(db, tenantId, now),
    (db) => purgeIncidents(db, tenantId, now),
    (db) => purgeMaintenanceWindows(db, tenantId, now),
    (db) => purgeReports(db, tenantId, now),
    (db) => purgeShareLinks(db, tenantId, now),
    (db) => purgeBulkChanges(db, tenantId, now),
    (db) => purgeVersions(db, tenantId, now),
    (db) => purgeCrossings(db, tenantId, now),
    (db) => purgeStatuses(db, tenantId, now),
  ]
  const failures: unknown[] = []
  for (const step of steps)
    await database.transaction({ tenantId }, step).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
