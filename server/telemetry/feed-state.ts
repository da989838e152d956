import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

export type FeedName = 'inventory' | 'usage' | 'telemetry'

interface FeedMoment {
  tenantId: string
  credentialId: number
  feed: FeedName
  at: Date
}

export const recordFeedSuccess = async (
  db: Db,
  { tenantId, credentialId, feed, at }: FeedMoment,
  newestSampleAt: Date | null = null,
): Promise<void> => {
  await sql`
    insert into vendor_feeds as known (tenant_id, credential_id, feed, last_success_at, newest_sample_at)
    values (${tenantId}, ${credentialId}, ${feed}, ${at}, ${newestSampleAt})
    on conflict (tenant_id, credential_id, feed) do update set
      last_success_at = greatest(known.last_success_at, excluded.last_success_at),
      newest_sample_at = greatest(known.newest_sample_at, excluded.newest_sample_at)`.execute(db)
}

export const recordFeedFailure = async (
  db: Db,
  { tenantId, credentialId, feed, at }: FeedMoment,
  failure: string,
): Promise<void> => {
  await sql`
    insert into vendor_feeds (tenant_id, credential_id, feed, last_failure_at, last_failure)
    values (${tenantId}, ${credentialId}, ${feed}, ${at}, ${failure.slice(0, 500)})
    on conflict (tenant_id, credential_id, feed) do update set
      last_failure_at = excluded.last_failure_at, last_failure = excluded.last_failure`.execute(db)
}
