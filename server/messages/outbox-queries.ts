import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'

const NEWEST = 50

/** The newest messages of a tenant, newest first. */
export const listNewestMessages = (database: Database, tenantId: string, channels: readonly ('email' | 'sms')[]) =>
  database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('messages')
      .select(['id', 'channel', 'recipient', 'reply_to', 'subject', 'text', 'html', 'sealed_body', 'created_at'])
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`channel = any(${channels}::text[])`)
      .orderBy('created_at', 'desc')
      .limit(NEWEST)
      .execute(),
  )

export type ListedMessage = Awaited<ReturnType<typeof listNewestMessages>>[number]

export const listTenantIds = async (database: Database) =>
  (await database.outsideTenants.selectFrom('tenants').select('id').orderBy('created_at').execute()).map(({ id }) => id)
