import { sql } from 'kysely'
import { notFound } from '#contract/errors.ts'
import { compareNatural, sortNaturally } from '#contract/format/natural-order.ts'
import type { Role } from '#contract/identity.ts'
import type { Db } from '../platform/database/database.ts'

const columns = [
  'id',
  'email',
  'group_name',
  'customer_name',
  'company',
  'role',
  'initial_password_expires_at',
] as const

interface UserRow {
  id: number
  email: string
  group_name: string
  customer_name: string
  company: string
  role: string
  initial_password_expires_at: Date | null
}

/** The fields that an administrator can set, by their names on the wire. */
export const toForm = (row: UserRow) => ({
  email: row.email,
  username: row.group_name,
  customerName: row.customer_name,
  company: row.company,
  role: row.role as Role,
})

const countSessions = (db: Db, tenantId: string, now: Date) =>
  db
    .selectFrom('sessions')
    .where('tenant_id', '=', tenantId)
    .select((eb) => [
      'user_id',
      eb.fn.max('created_at').as('last_sign_in'),
      eb.fn
        .countAll<number>()
        .filterWhere((open) => open.and([open('ended_at', 'is', null), open('expires_at', '>', now)]))
        .as('open'),
    ])
    .groupBy('user_id')

export const listUsers = async (db: Db, tenantId: string, now: Date, userId?: number) => {
  const rows = await db
    .selectFrom('users')
    .leftJoin(countSessions(db, tenantId, now).as('s'), 's.user_id', 'users.id')
    .select(columns)
    .select(['has_second_factor', 's.last_sign_in', 's.open'])
    .where('tenant_id', '=', tenantId)
    .where('is_service', '=', false)
    .$if(userId !== undefined, (query) => query.where('id', '=', userId as number))
    .orderBy('id')
    .execute()
  return sortNaturally(rows, ({ email }) => email).map((row) => ({
    user_id: String(row.id),
    ...toForm(row),
    activeSessions: row.open ?? 0,
    lastSignIn: row.last_sign_in,
    initialPasswordExpires: row.initial_password_expires_at,
    hasSecondFactor: row.has_second_factor,
  }))
}

/** One user as a response; a user of another tenant is not found. */
export const getUser = async (db: Db, tenantId: string, now: Date, userId: number) => {
  const [user] = await listUsers(db, tenantId, now, userId)
  if (!user) throw noSuchUser()
  return user
}

export const findUserId = async (db: Db, tenantId: string, email: string) => {
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('is_service', '=', false)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
  if (!user) throw noSuchUser()
  return user.id
}

export const noSuchUser = () => notFound('There is no such user.')

/** The row to be changed, locked until the transaction ends. */
export const lockUser = async (db: Db, tenantId: string, userId: number, { orService = false } = {}) => {
  const row = await db
    .selectFrom('users')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .$if(!orService, (query) => query.where('is_service', '=', false))
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw noSuchUser()
  return row
}

export const listGroups = async (db: Db, tenantId: string) => {
  const groups = await db
    .selectFrom('users')
    .select('group_name')
    .where('tenant_id', '=', tenantId)
    .union(db.selectFrom('service_lines').select('group_name').where('tenant_id', '=', tenantId))
    .execute()
  return groups.map(({ group_name }) => group_name).sort(compareNatural)
}
