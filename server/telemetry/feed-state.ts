import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

export type FeedName = 'inventory' | 'usage' | 'telemetry'

/** The page at which reading the inventory resumes. */
export interface FeedCursor {
  list: 'lines' | 'terminals'
  page: number
}

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

interface Account {
  tenantId: string
  credentialId: number
}

export const listFeedStates = async (db: Db, { tenantId, credentialId }: Account) => {
  const rows = await db
    .selectFrom('vendor_feeds')
    .select(['feed', 'last_success_at', 'newest_sample_at'])
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .execute()
  return rows.map((row) => ({ ...row, feed: row.feed as FeedName }))
}

const selectInventory = (db: Db, { tenantId, credentialId }: Account) =>
  db
    .selectFrom('vendor_feeds')
    .select(['cursor', 'last_success_at'])
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .where('feed', '=', 'inventory')
    .executeTakeFirst()

/** Where a read of the inventory was interrupted; undefined if the last one finished. */
export const findFeedCursor = async (db: Db, account: Account): Promise<FeedCursor | undefined> =>
  ((await selectInventory(db, account))?.cursor as FeedCursor | null | undefined) ?? undefined

export const isInventoryComplete = async (db: Db, account: Account): Promise<boolean> =>
  ((await selectInventory(db, account))?.last_success_at ?? null) !== null

export const recordFeedCursor = async (
  db: Db,
  { tenantId, credentialId }: Account,
  cursor: FeedCursor | undefined,
): Promise<void> => {
  const value = cursor === undefined ? null : JSON.stringify(cursor)
  await sql`
    insert into vendor_feeds (tenant_id, credential_id, feed, cursor)
    values (${tenantId}, ${credentialId}, 'inventory', ${value}::jsonb)
    on conflict (tenant_id, credential_id, feed) do update set cursor = excluded.cursor`.execute(db)
}

/** Records whether the account's lists lack most of what is stored. Returns since when they do. */
export const recordShrunkInventory = async (
  db: Db,
  { tenantId, credentialId, at }: Account & { at: Date },
): Promise<Date> => {
  const { rows } = await sql<{ shrunk_since: Date }>`
    insert into vendor_feeds as known (tenant_id, credential_id, feed, shrunk_since)
    values (${tenantId}, ${credentialId}, 'inventory', ${at})
    on conflict (tenant_id, credential_id, feed) do update set
      shrunk_since = coalesce(known.shrunk_since, excluded.shrunk_since)
    returning shrunk_since`.execute(db)
  return rows[0]?.shrunk_since ?? at
}

export const clearShrunkInventory = (db: Db, { tenantId, credentialId }: Account) =>
  db
    .updateTable('vendor_feeds')
    .set({ shrunk_since: null })
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .where('feed', '=', 'inventory')
    .where('shrunk_since', 'is not', null)
    .execute()
