import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'

/** Whether a user may not use a password: the tenant allows only single sign-on, and they are not an emergency administrator. */
export const mustUseSingleSignOn = (users: string) => sql<boolean>`(
  exists (select from sso_connections as sso
    where sso.tenant_id = ${sql.ref(`${users}.tenant_id`)} and sso.is_enabled and sso.is_only)
  and not (${sql.ref(`${users}.is_break_glass`)} and ${sql.ref(`${users}.role`)} = 'admin'))`

/** A user with what sign-in needs, including a mailed password that is still valid. */
export const findUserByEmail = (db: Db, tenantId: string, email: string, now: Date) =>
  db
    .selectFrom('users as u')
    .leftJoin('mailed_passwords as m', (join) =>
      join
        .onRef('m.tenant_id', '=', 'u.tenant_id')
        .onRef('m.user_id', '=', 'u.id')
        .on('m.used_at', 'is', null)
        .on('m.expires_at', '>', now),
    )
    .select([
      'u.id',
      'u.email',
      'u.password_hash',
      'u.check_otp',
      'u.has_second_factor',
      'u.must_change_password',
      'm.password_hash as mailed_password_hash',
    ])
    .select(mustUseSingleSignOn('u').as('must_use_sso'))
    // An initial password that was not used in time has expired.
    .select(sql<boolean>`coalesce(u.initial_password_expires_at <= ${now}, false)`.as('is_lapsed'))
    .where('u.tenant_id', '=', tenantId)
    .where('u.is_service', '=', false)
    .where(sql`lower(u.email)`, '=', email.toLowerCase())
    .executeTakeFirst()

export type SignInUser = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>
