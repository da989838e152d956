import { createHash } from 'node:crypto'
import { conflict } from '#contract/errors.ts'
import type { RouteInput } from '#contract/route.ts'
import type { ImportLine, users } from '#contract/users.ts'
import { recordAudit } from '../audit/record.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { insertUser } from '../identity/create-user.ts'
import { COMMON_PASSWORD, loadCommonPasswordCheck } from '../identity/password-rules.ts'
import { hashPassword, toBulkRequester } from '../identity/passwords.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { LAST_ADMINISTRATOR, listAdministrators, notifyOfAdministrator } from './administrators.ts'
import { getInitialPasswordExpiry } from './initial-password.ts'
import { type ImportedUser, type ParsedLine, parseUsers } from './parse-users.ts'
import { toForm } from './queries.ts'
import { diffForms, recordChangedUser, writeForm } from './update-user.ts'

/** One line with its action. */
interface Step extends ImportLine {
  user?: ImportedUser
  /** The stored user, if one exists. */
  existing?: { id: number; form: ReturnType<typeof toForm> }
}

const listAllUsers = (db: Db, tenantId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'group_name', 'customer_name', 'company', 'role', 'initial_password_expires_at'])
    .where('tenant_id', '=', tenantId)
    .where('is_service', '=', false)
    .execute()

type Row = Awaited<ReturnType<typeof listAllUsers>>[number]

type CommonCheck = Awaited<ReturnType<typeof loadCommonPasswordCheck>>

const planLine = (read: ParsedLine, byEmail: Map<string, Row>, isCommon: CommonCheck): Step => {
  const { line, email } = read
  if ('fault' in read) return { line, email, outcome: 'fault', text: read.fault }
  const { user } = read
  const row = byEmail.get(email.toLowerCase())
  if (!row && user.initialPassword === '')
    return { line, email, outcome: 'fault', text: 'initialPassword: a new user needs one.' }
  if (!row && isCommon(user.initialPassword))
    return { line, email, outcome: 'fault', text: `initialPassword: ${COMMON_PASSWORD}` }
  if (!row) return { line, email, outcome: 'create', text: `New ${user.role} in group ${user.username}.`, user }
  const form = toForm(row)
  const { names, before, after } = diffForms(form, { ...form, ...formOnly(user), email: row.email })
  if (names.length === 0) return { line, email, outcome: 'none', text: 'Nothing to change.' }
  const text = names.map((name) => `${name}: ${before[name]} → ${after[name]}`).join(', ')
  return { line, email, outcome: 'change', text: `${text}.`, user, existing: { id: row.id, form } }
}

const formOnly = ({ username, customerName, company, role }: ImportedUser) => ({
  username,
  customerName,
  company,
  role,
})

/** A file that would leave no administrator fails on the line that removes the last one. */
const refuseLastAdministrator = (steps: Step[], rows: Row[]): Step[] => {
  const administrators = new Set(rows.filter(({ role }) => role === 'admin').map(({ id }) => id))
  let count = administrators.size
  for (const { user, existing } of steps)
    if (user) count += Number(user.role === 'admin') - Number(existing?.form.role === 'admin')
  const last = steps.findLast(({ user, existing }) => existing?.form.role === 'admin' && user?.role === 'user')
  if (count > 0 || !last) return steps
  return steps.map((step) =>
    step === last ? { line: step.line, email: step.email, outcome: 'fault', text: LAST_ADMINISTRATOR } : step,
  )
}

const isPromotion = ({ user, existing }: Step) => user?.role === 'admin' && existing?.form.role !== 'admin'

const hashPlan = (steps: Step[]) =>
  createHash('sha256')
    .update(JSON.stringify(steps.map(({ line, email, outcome, text }) => [line, email, outcome, text])))
    .digest('hex')

const applyStep = async (ctx: Context, db: Db, { line, user, existing }: Step, hashes: Map<number, string>) => {
  if (!user) return
  const performer = ctx.user.email
  const now = ctx.services.now()
  if (!existing) {
    const hash = hashes.get(line)
    if (!hash) throw stalePlan()
    const more = { mustChangePassword: true, passwordExpiresAt: getInitialPasswordExpiry(now) }
    await insertUser(db, ctx.tenantId, { performer, now, origin: ctx }, hash, {
      ...formOnly(user),
      email: user.email,
      ...more,
    })
    return
  }
  const after = { ...existing.form, ...formOnly(user) }
  await writeForm(db, ctx.tenantId, existing.id, existing.form, after)
  const changes = diffForms(existing.form, after)
  await recordAudit(db, ctx.tenantId, now, {
    performer,
    action: 'user.update',
    performee: existing.form.email,
    details: { before: changes.before, after: changes.after },
  })
  await recordChangedUser(ctx, db, existing.id, after.email, changes)
}

const stalePlan = () => conflict('Something has changed since you looked. Please check the file again.')

/** The password hashes of new users, by line. */
const hashPasswords = async (ctx: Context, read: ParsedLine[], isCommon: CommonCheck) => {
  const known = await ctx.transaction((db) =>
    db.selectFrom('users').select('email').where('tenant_id', '=', ctx.tenantId).execute(),
  )
  const emails = new Set(known.map(({ email }) => email.toLowerCase()))
  const hashes = new Map<number, string>()
  const isNew = ({ email }: ParsedLine) => !emails.has(email.toLowerCase())
  const common = (each: ParsedLine) => 'user' in each && isNew(each) && isCommon(each.user.initialPassword)
  // Such a file is not applied.
  if (read.some(common)) return hashes
  for (const each of read)
    if ('user' in each && isNew(each)) {
      await ctx.requireRights()
      hashes.set(each.line, await hashPassword(each.user.initialPassword, toBulkRequester(ctx.tenantId)))
    }
  return hashes
}

/** Creates and changes users from a file: every line or none. */
export const importUsers = async (ctx: Context, { csv, apply, plan }: RouteInput<typeof users.importCsv>) => {
  const read = parseUsers(csv)
  const isCommon = await loadCommonPasswordCheck()
  // Before the transaction: hashing many passwords takes seconds, and would block every change in the tenant.
  const hashes = apply && read.every((each) => 'user' in each) ? await hashPasswords(ctx, read, isCommon) : new Map()
  return ctx.transaction(async (db) => {
    const rows = await listAllUsers(db, ctx.tenantId)
    const byEmail = new Map(rows.map((row) => [row.email.toLowerCase(), row]))
    const steps = refuseLastAdministrator(
      read.map((each) => planLine(each, byEmail, isCommon)),
      rows,
    )
    const planned = hashPlan(steps)
    if (apply && plan !== undefined && plan !== planned) throw stalePlan()
    const applied = Boolean(apply) && steps.every(({ outcome }) => outcome !== 'fault')
    if (applied) {
      const before = await listAdministrators(db, ctx.tenantId)
      const promoted = steps.filter(isPromotion)
      if (promoted.length > 0) await requireConfirmation(db, ctx)
      for (const step of steps) await applyStep(ctx, db, step, hashes)
      // With single sign-on only, not every administrator can sign in.
      if (before.size > 0 && (await listAdministrators(db, ctx.tenantId)).size === 0) throw conflict(LAST_ADMINISTRATOR)
      for (const { email } of promoted) await notifyOfAdministrator(db, ctx, email)
    }
    return {
      applied,
      plan: planned,
      lines: steps.map(({ line, email, outcome, text }) => ({ line, email, outcome, text })),
    }
  }, 'all')
}
