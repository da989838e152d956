import type { CreateUser, users } from '#contract/users.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { insertUser } from '../identity/create-user.ts'
import { refuseCommonPassword } from '../identity/password-rules.ts'
import { hashPassword, toBulkRequester } from '../identity/passwords.ts'
import type { Context } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { notifyOfAdministrator } from './administrators.ts'
import { deleteUser } from './delete-user.ts'
import { endUserSessions } from './end-sessions.ts'
import { importUsers } from './import-users.ts'
import { getInitialPasswordExpiry } from './initial-password.ts'
import { notifyUsers } from './notify-users.ts'
import { getUser, listGroups, listUsers } from './queries.ts'
import { resetUserFactors } from './reset-factors.ts'
import { updateUser } from './update-user.ts'

const addUser = async (ctx: Context, { initialPassword, ...user }: CreateUser) => {
  await refuseCommonPassword(initialPassword)
  const now = ctx.services.now()
  if (user.role === 'admin') await ctx.transaction((db) => requireConfirmation(db, ctx))
  const hash = await hashPassword(initialPassword, toBulkRequester(ctx.tenantId))
  return ctx.transaction(async (db) => {
    const more = { mustChangePassword: true, passwordExpiresAt: getInitialPasswordExpiry(now) }
    const by = { performer: ctx.user.email, now, origin: ctx }
    const userId = await insertUser(db, ctx.tenantId, by, hash, { ...user, ...more })
    if (user.role === 'admin') await notifyOfAdministrator(db, ctx, user.email)
    return getUser(db, ctx.tenantId, now, userId)
  })
}

export const userHandlers: Handlers<typeof users> = {
  list: ({ transaction, tenantId, services }) => transaction((db) => listUsers(db, tenantId, services.now())),
  create: addUser,
  update: updateUser,
  remove: deleteUser,
  groups: async ({ transaction, tenantId }) => ({ groups: await transaction((db) => listGroups(db, tenantId)) }),
  endSessions: endUserSessions,
  resetFactors: resetUserFactors,
  importCsv: importUsers,
  notify: notifyUsers,
}
