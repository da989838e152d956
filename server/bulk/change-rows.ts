import { sql } from 'kysely'
import type { BulkKind, BulkProgress } from '#contract/bulk.ts'
import type { MetadataField } from '#contract/service-lines.ts'
import type { Db } from '../platform/database/database.ts'

export interface StoredBulk {
  id: string
  userId: number
  /** The session or API token that started it. */
  sessionId: string | null
  tokenId: string | null
  /** The group whose lines the user could see at the start; null for administrators. */
  group: string | null
  kind: BulkKind
  /** For metadata only. */
  field: MetadataField | null
  undoOf: string | null
  state: BulkProgress['state']
  problem: string | null
  startedAt: Date
}

const columns = sql`id, user_id as "userId", session_id as "sessionId", token_id as "tokenId", group_name as "group", kind, field, undo_of as "undoOf", state, problem, started_at as "startedAt"`

interface Found {
  /** Only if this user started it. */
  userId?: number
  /** Locks it against being stopped or continued until the transaction ends. */
  lock?: boolean
}

export const findBulk = async (db: Db, tenantId: string, id: string, { userId, lock }: Found) => {
  const { rows } = await sql<StoredBulk>`
    select ${columns} from bulk_changes
    where tenant_id = ${tenantId} and id = ${id} ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
    ${lock ? sql`for update` : sql``}`.execute(db)
  return rows[0]
}

const MAX_LISTED = 20

/** The latest changes of a user, newest first. */
export const listBulks = async (db: Db, tenantId: string, userId: number) => {
  const { rows } = await sql<StoredBulk>`
    select ${columns} from bulk_changes where tenant_id = ${tenantId} and user_id = ${userId}
    order by started_at desc, id limit ${MAX_LISTED}`.execute(db)
  return rows
}

/** The ids of what runs, of all users. */
export const listRunning = async (db: Db, tenantId: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from bulk_changes where tenant_id = ${tenantId} and state = 'running' order by id`.execute(db)
  return rows.map(({ id }) => id)
}

export const countRunning = async (db: Db, tenantId: string, userId: number) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from bulk_changes
    where tenant_id = ${tenantId} and user_id = ${userId} and state = 'running'`.execute(db)
  return rows[0]?.count ?? 0
}

type NewBulk = Omit<StoredBulk, 'state' | 'problem'>

export const insertBulk = async (db: Db, tenantId: string, bulk: NewBulk) => {
  const { id, userId, sessionId, tokenId, group, kind, field, undoOf, startedAt } = bulk
  await sql`
    insert into bulk_changes (tenant_id, id, user_id, session_id, token_id, group_name, kind, field, undo_of, state, started_at)
    values (${tenantId}, ${id}, ${userId}, ${sessionId}, ${tokenId}, ${group}, ${kind}, ${field}, ${undoOf}, 'running', ${startedAt})`.execute(
    db,
  )
}

const RETENTION = '90 days'

export const purgeBulkChanges = async (db: Db, tenantId: string, now: Date) => {
  await sql`
    delete from bulk_changes
    where tenant_id = ${tenantId} and state <> 'running'
      and started_at < ${now}::timestamptz - interval '${sql.raw(RETENTION)}'`.execute(db)
}
