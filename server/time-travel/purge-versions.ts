import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { PAST_DAYS } from '../platform/past.ts'

/** Usage changes every hour. After this many days, only the last version of each UTC day is retained. */
const HOURLY_DAYS = 8
/** The days that are thinned per run: those since the last purge, plus a margin in case it did not run. */
const THINNED_DAYS = 8

/** Deletes versions beyond the retention, and thins out those that changed many times a day. */
export const purgeVersions = async (db: Db, tenantId: string, now: Date): Promise<void> => {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000)
  // The last one before the limit holds the state at the limit.
  await sql`
    delete from fact_versions as old
    where old.tenant_id = ${tenantId} and old.known_at < ${before(PAST_DAYS)} and exists (
      select from fact_versions as newer
      where newer.tenant_id = old.tenant_id and newer.kind = old.kind and newer.subject_id = old.subject_id
        and newer.known_at > old.known_at and newer.known_at < ${before(PAST_DAYS)})`.execute(db)
  await sql`
    delete from fact_versions as old
    where old.tenant_id = ${tenantId} and old.kind in ('usage', 'pool')
      and old.known_at < ${before(HOURLY_DAYS)} and old.known_at > ${before(HOURLY_DAYS + THINNED_DAYS)}
      and exists (
        select from fact_versions as newer
        where newer.tenant_id = old.tenant_id and newer.kind = old.kind and newer.subject_id = old.subject_id
          and newer.known_at > old.known_at
          and newer.known_at < date_trunc('day', old.known_at, 'UTC') + interval '1 day'
          and newer.known_at < ${before(HOURLY_DAYS)})`.execute(db)
}
