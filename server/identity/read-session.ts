import { sql } from 'kysely'
import type { Role } from '#contract/identity.ts'
import type { ChangedUsers, RightsLock, SenderToken, Session } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { mustAddFactor } from '../platform/must-add-factor.ts'
import { isVouchedToken } from '../platform/vouched-token.ts'

/*
 * PostgreSQL grants a shared row lock ahead of writers that wait for the row, so a user who sends requests constantly
 * could never be deleted (writer starvation). Advisory locks are granted in FIFO order: a sender passes through one
 * before it takes the shared row lock, and a writer holds it while it waits. Users share a fixed number of them, because
 * one lock per user could fill the lock table.
 */
const GATES = 64
const buildGate = (tenantId: string) => sql`hashtext('rights of ' || ${tenantId}::text), (id % ${sql.lit(GATES)})::int`

/** Locks a user's row, and so their rights, until the transaction ends. */
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

/** Includes the sender's row, because two transactions that upgrade a shared row lock to an update lock deadlock. */
const lockChanged = async (db: Db, tenantId: string, userId: number, changes: ChangedUsers) => {
  const changed = sql`tenant_id = ${tenantId} and (id = ${userId} or ${selectChanged(changes)})`
  await sql`
    select pg_advisory_xact_lock(${buildGate(tenantId)})
    from (select distinct id % ${sql.lit(GATES)} as id from users where ${changed} order by 1) as gates`.execute(db)
  // A separate statement, so that it sees users added while the previous one waited.
  await sql`select from users where ${changed} order by id for update`.execute(db)
}

/** One row per granted item, at least one. */
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

/** A request's sender, or that of earlier work. */
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
 * The current session; undefined if it has ended or its token was revoked. Locks are taken in one order: users by id,
 * then the session or token. Every transaction that ends a session or changes grants locks the user's row first, so a
 * lock on that row blocks all of them.
 */
export const readSession = async (
  db: Db,
  { tenantId, user }: { tenantId: string; user: Sender },
  lock: RightsLock,
  now: Date,
): Promise<Session | undefined> => {
  const { userId, sessionId, token } = user
  if (lock === 'share') await lockSender(db, tenantId, userId)
  else if (lock !== 'none') await lockChanged(db, tenantId, userId, lock)
  // For single sign-on the provider is responsible for password and factors.
  const atProvider = sql`and not ${token ? isVouchedToken('sender') : sql`sender.is_single_sign_on`}`
  // A separate statement: one that waited for a lock would read other tables as they were before the wait.
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
