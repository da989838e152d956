import { conflict } from '#contract/errors.ts'
import type { CreateUser } from '#contract/users.ts'
import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'
import { publishUserEvent } from '../platform/publish-events.ts'
import { type RequestOrigin, recordSecurityEvent } from '../security-events/record.ts'
import { hashPassword, toBulkRequester } from './passwords.ts'

interface NewUserFields extends Omit<CreateUser, 'initialPassword'> {
  /** The user must choose their own password at sign-in. */
  mustChangePassword?: boolean
  /** When the initial password expires if it is never used. Unset: never. */
  passwordExpiresAt?: Date
  checkOtp?: boolean
}

export interface NewUser extends NewUserFields {
  initialPassword: string
}

interface Performer {
  performer: string
  now: Date
  /** Unset if a command creates the user. */
  origin?: RequestOrigin
}

/** Adds a user with a hash instead of a password: hashing is slow and stays outside the transaction. */
export const insertUser = async (
  db: Db,
  tenantId: string,
  { performer, now, origin }: Performer,
  passwordHash: string,
  { email, role, username, customerName, company, ...more }: NewUserFields,
) => {
  const user = await db
    .insertInto('users')
    .values({
      tenant_id: tenantId,
      email,
      password_hash: passwordHash,
      role,
      group_name: username,
      customer_name: customerName,
      company,
      check_otp: more.checkOtp ?? false,
      must_change_password: more.mustChangePassword ?? false,
      initial_password_expires_at: more.passwordExpiresAt ?? null,
      created_at: now,
    })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!user) throw conflict(`There is a user with the email address ${email} already.`)
  await publishUserEvent(db, tenantId, 'user.created', user.id, { email, role, username, customerName }, now)
  await recordAudit(db, tenantId, now, {
    performer,
    action: 'user.create',
    performee: email,
    details: { after: { email, role, username, customerName, company } },
  })
  await recordSecurityEvent(db, tenantId, now, {
    kind: 'user_created',
    account: email,
    userId: user.id,
    actor: performer,
    origin,
    details: { role },
  })
  return user.id
}

/** Adds a user to the tenant of the transaction. */
export const createUser = async (db: Db, tenantId: string, by: Performer, { initialPassword, ...user }: NewUser) =>
  insertUser(db, tenantId, by, await hashPassword(initialPassword, toBulkRequester(tenantId)), user)
