import { conflict } from '#contract/errors.ts'
import type { UpdateUser } from '#contract/users.ts'
import { recordAudit } from '../audit/record.ts'
import { linkEmail } from '../audit/subjects.ts'
import { setPassword } from '../identity/change-password.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { refuseCommonPassword } from '../identity/password-rules.ts'
import { hashPassword, toBulkRequester } from '../identity/passwords.ts'
import { nameTokens, revokeTokens } from '../identity/personal-tokens.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { type Context, withAdministrators } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'
import { publishUserEvent } from '../platform/publish-events.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { listAdministrators, notifyOfAdministrator, requireOtherAdministrator } from './administrators.ts'
import { getInitialPasswordExpiry } from './initial-password.ts'
import { getUser, lockUser, toForm } from './queries.ts'

type Form = ReturnType<typeof toForm>

/** The changed fields, before and after. */
export const diffForms = (before: Form, after: Form) => {
  const names = (Object.keys(before) as (keyof Form)[]).filter((name) => before[name] !== after[name])
  const pick = (form: Form) => Object.fromEntries(names.map((name) => [name, form[name]]))
  return { names, before: pick(before), after: pick(after) }
}

/** The role determines what a user may do, and the group what they see. */
export const recordChangedUser = async (
  ctx: Context,
  db: Db,
  userId: number,
  email: string,
  { names, before, after }: ReturnType<typeof diffForms>,
) => {
  const isRight = (name: keyof Form) => name === 'role' || name === 'username'
  const rights = names.filter(isRight).map((name) => [name, `${before[name]} → ${after[name]}`])
  const others = names.filter((name) => !isRight(name))
  const about = { account: email, userId, actor: ctx.user.email, origin: ctx }
  const now = ctx.services.now()
  if (rights.length > 0)
    await recordSecurityEvent(db, ctx.tenantId, now, {
      kind: 'rights_changed',
      ...about,
      details: Object.fromEntries(rights),
    })
  if (others.length > 0)
    await recordSecurityEvent(db, ctx.tenantId, now, {
      kind: 'user_changed',
      ...about,
      details: { fields: others.join(', ') },
    })
}

export const writeForm = async (db: Db, tenantId: string, userId: number, before: Form, form: Form) => {
  if (before.email !== form.email) await linkEmail(db, tenantId, before.email, form.email)
  try {
    await db
      .updateTable('users')
      .set({
        email: form.email,
        group_name: form.username,
        customer_name: form.customerName,
        company: form.company,
        role: form.role,
        ...(form.role !== 'admin' && { is_break_glass: false }),
      })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', userId)
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw conflict(`There is a user with the email address ${form.email} already.`)
  }
  await publishUserEvent(db, tenantId, 'user.changed', userId, form)
}

/** The password may have been replaced because somebody else knows it, so tokens that they may have created end too. */
const recordPasswordReset = async (ctx: Context, db: Db, userId: number, email: string) => {
  const now = ctx.services.now()
  const about = { account: email, actor: ctx.user.email, origin: ctx }
  await recordSecurityEvent(db, ctx.tenantId, now, { kind: 'password_reset', userId, ...about })
  const by = { performer: ctx.user.email, now, origin: ctx }
  const tokens = await revokeTokens(db, ctx.tenantId, by, { userId, email })
  await mailSecurityNotice(db, ctx.tenantId, [email], {
    subject: 'An administrator replaced your password',
    ...about,
    now,
    ...(tokens.length > 0 && { facts: [['Revoked API tokens', nameTokens(tokens)]] }),
  })
}

export const updateUser = async (ctx: Context, { user_id, initialPassword, ...given }: UpdateUser) => {
  if (initialPassword) {
    // Whoever replaces a password can sign in as the user, also as another administrator.
    await ctx.transaction((db) => requireConfirmation(db, ctx))
    await refuseCommonPassword(initialPassword)
  }
  const passwordHash = initialPassword ? await hashPassword(initialPassword, toBulkRequester(ctx.tenantId)) : undefined
  const changed = withAdministrators(Number(user_id))
  return ctx.transaction(async (db) => {
    const now = ctx.services.now()
    const administrators = await listAdministrators(db, ctx.tenantId)
    const row = await lockUser(db, ctx.tenantId, Number(user_id))
    const before = toForm(row)
    const after = { ...before, ...given, role: given.role ?? before.role }
    if (after.role !== 'admin') requireOtherAdministrator(administrators, row.id)
    const changes = diffForms(before, after)
    const isPromoted = before.role !== 'admin' && after.role === 'admin'
    const isAddressChanged = before.email !== after.email
    if (isPromoted || isAddressChanged) await requireConfirmation(db, ctx)
    if (changes.names.length > 0) await writeForm(db, ctx.tenantId, row.id, before, after)
    if (passwordHash) {
      const terms = { now, mustChange: true, expiresAt: getInitialPasswordExpiry(now) }
      await setPassword(db, ctx.tenantId, row.id, passwordHash, terms)
    }
    if (changes.names.length > 0 || passwordHash)
      await recordAudit(db, ctx.tenantId, now, {
        performer: ctx.user.email,
        action: 'user.update',
        performee: before.email,
        details: {
          before: changes.before,
          after: { ...changes.after, ...(passwordHash && { password: 'replaced' }) },
        },
      })
    await recordChangedUser(ctx, db, row.id, after.email, changes)
    if (passwordHash) await recordPasswordReset(ctx, db, row.id, after.email)
    if (isPromoted) await notifyOfAdministrator(db, ctx, after.email)
    if (isAddressChanged)
      await mailSecurityNotice(db, ctx.tenantId, [before.email, after.email], {
        subject: `The email address of your account is now ${after.email}`,
        account: before.email,
        actor: ctx.user.email,
        origin: ctx,
        now,
      })
    return getUser(db, ctx.tenantId, now, row.id)
  }, changed)
}
