import { conflict } from '#contract/errors.ts'
import type { CreateUser } from '#contract/users.ts'
import { recordAudit } from '../audit/record.ts'
import type { Db } from '../db.ts'
import { hashPassword } from './passwords.ts'

export interface NewUser extends CreateUser {
  /** The person is told at sign-in to choose a password of their own. */
  mustChangePassword?: boolean
  asksCode?: boolean
}

/** Adds a person to the tenant of the transaction. */
export const createUser = async (
  db: Db,
  tenantId: string,
  by: { performer: string; now: Date },
  {
    email,
    initialPassword,
    role,
    username,
    customerName,
    company,
    mustChangePassword = false,
    asksCode = false,
  }: NewUser,
) => {
  const user = await db
    .insertInto('users')
    .values({
      tenant_id: tenantId,
      email,
      password_hash: await hashPassword(initialPassword),
      role,
      group_name: username,
      customer_name: customerName,
      company,
      check_otp: asksCode,
      must_change_password: mustChangePassword,
      created_at: by.now,
    })
    .onConflict((clash) => clash.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!user) throw conflict(`There is a user with the e-mail address ${email} already.`)
  await recordAudit(db, tenantId, by.now, {
    performer: by.performer,
    action: 'user.create',
    performee: email,
    details: { role, group: username, customerName, company },
  })
  return user.id
}
