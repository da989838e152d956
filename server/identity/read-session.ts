import { sql } from 'kysely'
import type { Role } from '#contract/identity.ts'
import type { ChangedUsers, RightsLock, SenderToken, Session } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { mustAddFactor } from '../platform/must-add-factor.ts'

/*
 * PostgreSQL grants a shared row lock past those who wait to change the row, so a sender who writes all the time could not
 * be deleted. Advisory locks are granted in turn: senders pass through one before they share the row, and those who change
 * the row hold it while they wait. Users share a number of them, because a lock for each user could fill the lock table.
 */
const GATES = 64
const buildGate = (tenantId: string) => sql`hashtext('rights of ' || ${tenantId}::text), (id % ${sql.lit(GATES)})::int`

/** Holds a user's row, and so their rights, to the end of the transaction. */
export const lockSender = (db: Db, tenantId: string, userId: number) => {
  const gate = buildGate(tenantId)
  return sql`
    with gate as materialized (
      select pg_advisory_lock_shared(${gate}), pg_advisory_unlock_shared(${gate}) from (select ${userId}::bigint as id) as sender)
    select from users, gate where tenant_id = ${tenantId} and id = ${userId} for share of users`.execute(db)
}

const selectChanged = (changes: ChangedUsers) => {
  if (changes === 'all') return sql`true`
  if (changes === 'self') return sql`false`
  if (typeof changes === 'number') return sql`id = ${changes}`
  return sql`(id = ${changes.userId} or role = 'admin')`
}

/** The sender's row too, because a row that is first shared and then locked for update deadlocks with its like. */
const lockChanged = async (db: Db, tenantId: string, userId: number, changes: ChangedUsers) => {
  const changed = sql`tenant_id = ${tenantId} and (id = ${userId} or ${selectChanged(changes)})`
  await sql`
    select pg_advisory_xact_lock(${buildGate(tenantId)})
    from (select distinct id % ${sql.lit(GATES)} as id from users where ${changed} order by 1) as gates`.execute(db)
  // A statement of its own, which sees who was added while this one waited.
  await sql`select from users where ${changed} order by id for update`.execute(db)
}

/** One row for each item that was granted, at least one. */
export interface RightsRow {
  email: string
  role: Role
  group_name: string
  customer_name: string
  must_change_password: boolean
  must_add_factor: boolean
  item: string | null
  value: string | null
}

interface Sender {
  userId: number
  sessionId: string | undefined
  token: SenderToken | undefined
}

export const toSession = (
  tenantId: string,
  { userId, sessionId, token }: Sender,
  rows: readonly RightsRow[],
): Session | undefined => {
  const [first] = rows
  if (!first) return undefined
  const {
    email,
    role,
    group_name: group,
    customer_name: customerName,
    must_change_password: mustChangePassword,
    must_add_factor: mustAddFactor,
  } = first
  return {
    tenantId,
    user: { userId, sessionId, token, email, role, group, customerName, mustChangePassword, mustAddFactor },
    grants: Object.fromEntries(rows.flatMap(({ item, value }) => (item && value ? [[item, value]] : []))),
  }
}

/**
 * The session as it is now; undefined if it has ended, or if its token was revoked. Locks are taken in one order: users by
 * id, then the session or token. Whoever ends one or changes grants locks the row of its user first, so a lock on that row holds them all.
 */
export const readSession = async (
  db: Db,
  { tenantId, user }: Session,
  lock: RightsLock,
  now: Date,
): Promise<Session | undefined> => {
  const { userId, sessionId, token } = user
  if (lock === 'share') await lockSender(db, tenantId, userId)
  else if (lock !== 'none') await lockChanged(db, tenantId, userId, lock)
  // Whoever signed in at a provider of single sign-on is asked there for what is needed.
  const atProvider = token ? sql`` : sql`and not sender.is_single_sign_on`
  // A statement of its own: one that waited for a lock reads other tables as they were before it waited.
  const { rows } = await sql<RightsRow>`
    select users.email, users.role, users.group_name, users.customer_name,
      users.must_change_password ${atProvider} as must_change_password, (${mustAddFactor()}) ${atProvider} as must_add_factor,
      feature_grants.item, feature_grants.value
    from ${sql.table(token ? 'api_tokens' : 'sessions')} as sender
    join users on users.tenant_id = sender.tenant_id and users.id = sender.user_id
    left join feature_grants on feature_grants.tenant_id = users.tenant_id and feature_grants.user_id = users.id
    where sender.tenant_id = ${tenantId} and sender.id = ${token?.id ?? sessionId ?? null} and sender.user_id = ${userId}
      and sender.${sql.ref(token ? 'revoked_at' : 'ended_at')} is null and sender.expires_at > ${now}
    ${lock === 'none' ? sql`` : sql`for share of sender`}`.execute(db)
  return toSession(tenantId, user, rows)
}
