import { sql } from 'kysely'
import { isClearEmail } from '#contract/credentials.ts'
import type { Rule } from '#contract/single-sign-on.ts'
import { requiredLine } from '#contract/text.ts'
import { recordAudit } from '../audit/record.ts'
import { insertUser } from '../identity/create-user.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { listAdministratorEmails } from '../messages/administrators.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { listAdministrators } from '../users/administrators.ts'
import type { ProviderTokens } from './provider.ts'
import { SsoRefusal } from './refuse.ts'
import { findRule, isEmailVerified } from './rules.ts'

/** The performer of changes by rule, in the editing log. */
const PERFORMER = 'single sign-on'

interface Account {
  id: number
  email: string
  role: string
  group_name: string
  is_break_glass: boolean
}

type ProviderClaims = ProviderTokens['claims']

const selectAccount = (db: Db, tenantId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'role', 'group_name', 'is_break_glass'])
    .where('tenant_id', '=', tenantId)
    .where('is_service', '=', false)

const findIdentity = async (db: Db, tenantId: string, { iss, sub }: ProviderClaims) =>
  db
    .selectFrom('sso_identities')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('issuer', '=', iss)
    .where('subject', '=', sub)
    .executeTakeFirst()

export const isLinked = async (db: Db, tenantId: string, claims: ProviderClaims) =>
  (await findIdentity(db, tenantId, claims)) !== undefined

export const isLinkedTo = async (db: Db, tenantId: string, claims: ProviderClaims, userId: number) =>
  (await findIdentity(db, tenantId, claims))?.user_id === userId

const MAX_NAME = 200
const Name = requiredLine(MAX_NAME)

/** Users may edit their name at the provider, so it follows the rules of one that is entered here. */
const readName = ({ name }: ProviderClaims, email: string) => {
  const given =
    typeof name === 'string'
      ? name
          .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
          .trim()
          .slice(0, MAX_NAME)
      : ''
  return Name.safeParse(given).success ? given : email.slice(0, MAX_NAME)
}

/** Whether a claim is an address that can identify a user. */
export const isUsableAddress = (email: unknown): email is string =>
  typeof email === 'string' && email.length <= 254 && isClearEmail(email)

/** An address identifies a user only if the provider has verified it. */
const requireVerifiedEmail = (claims: ProviderClaims) => {
  const { email } = claims
  if (!isUsableAddress(email)) throw new SsoRefusal('unverified')
  if (!isEmailVerified(claims)) throw new SsoRefusal('unverified', email)
  return email
}

const link = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  { iss, sub }: ProviderClaims,
  { id, email }: Pick<Account, 'id' | 'email'>,
) => {
  const now = context.services.now()
  const linked = await db
    .insertInto('sso_identities')
    .values({ tenant_id: tenantId, issuer: iss, subject: sub, user_id: id, linked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  // A user who was given the address of a former colleague must not get their account.
  if (linked.numInsertedOrUpdatedRows !== 1n) throw new SsoRefusal('other_account', email)
  await recordAudit(db, tenantId, now, {
    performer: PERFORMER,
    action: 'user.link_single_sign_on',
    performee: email,
    details: { issuer: iss },
  })
  const event = { account: email, userId: id, actor: PERFORMER, origin: context, details: { issuer: iss } }
  await recordSecurityEvent(db, tenantId, now, { kind: 'sso_linked', ...event })
}

/** For an administrator, locks all of them, because a rule may demote one. */
const lockAccount = async (db: Db, tenantId: string, userId: number) => {
  await sql`
    select from users where tenant_id = ${tenantId} and (id = ${userId} or (role = 'admin' and exists (
      select from users as own where own.tenant_id = ${tenantId} and own.id = ${userId} and own.role = 'admin')))
    order by id for update`.execute(db)
  const account = await selectAccount(db, tenantId).where('id', '=', userId).executeTakeFirst()
  if (!account) throw new SsoRefusal('changed')
  return account
}

/** Links the account with the verified address, or creates one. */
const linkFirst = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  claims: ProviderClaims,
  { rule, passwordHash }: { rule: Rule; passwordHash: string | undefined },
) => {
  const email = requireVerifiedEmail(claims)
  const found = await selectAccount(db, tenantId).where(sql`lower(email)`, '=', email.toLowerCase()).executeTakeFirst()
  if (found) {
    const account = await lockAccount(db, tenantId, found.id)
    if (account.email !== found.email) throw new SsoRefusal('changed', email)
    await link(db, context, tenantId, claims, account)
    return { account, isCreated: false }
  }
  if (passwordHash === undefined) throw new SsoRefusal('changed', email)
  const by = { performer: PERFORMER, now: context.services.now(), origin: context }
  const role = rule.outcome === 'admin' ? 'admin' : 'user'
  const id = await insertUser(db, tenantId, by, passwordHash, {
    email,
    role,
    username: rule.group,
    customerName: readName(claims, email),
    company: rule.group,
  })
  await link(db, context, tenantId, claims, { id, email })
  return { account: { id, email, role, group_name: rule.group, is_break_glass: false }, isCreated: true }
}

const notifyAdministrators = async (db: Db, context: AnonymousContext, tenantId: string, email: string) =>
  mailSecurityNotice(db, tenantId, await listAdministratorEmails(db, tenantId), {
    subject: `${email} is now an administrator`,
    account: email,
    actor: PERFORMER,
    origin: context,
    now: context.services.now(),
  })

/**
 * Break-glass administrators and the last administrator keep their role, so that nobody at the provider can lock the
 * tenant out.
 */
const mayChangeRole = async (db: Db, tenantId: string, { id, is_break_glass }: Account) => {
  if (is_break_glass) return false
  const administrators = await listAdministrators(db, tenantId)
  return !administrators.has(id) || administrators.size > 1
}

/** Applies the rule's role and group to an account. */
const applyRule = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  account: Account,
  { rule, place }: { rule: Rule; place: number },
) => {
  const role =
    rule.outcome !== account.role && (await mayChangeRole(db, tenantId, account)) ? rule.outcome : account.role
  const before = { role: account.role, username: account.group_name }
  const after = { role, username: rule.group }
  if (before.role === after.role && before.username === after.username) return
  const now = context.services.now()
  await db
    .updateTable('users')
    .set({ role, group_name: rule.group })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', account.id)
    .execute()
  await recordAudit(db, tenantId, now, {
    performer: PERFORMER,
    action: 'user.update',
    performee: account.email,
    details: { before, after, rule: place },
  })
  await recordSecurityEvent(db, tenantId, now, {
    kind: 'rights_changed',
    account: account.email,
    userId: account.id,
    actor: PERFORMER,
    origin: context,
    details: { role: `${before.role} → ${role}`, username: `${before.username} → ${rule.group}`, rule: place },
  })
  if (before.role !== 'admin' && role === 'admin') await notifyAdministrators(db, context, tenantId, account.email)
}

/**
 * The account of a user who signed in at the provider: already linked to the subject, or linked or created by a verified
 * address. At each sign-in, rules decide on admission, role and group.
 */
export const admitUser = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  claims: ProviderClaims,
  /** The password hash for a new account; undefined if the account exists. */
  { rules, passwordHash }: { rules: readonly Rule[]; passwordHash: string | undefined },
) => {
  const identity = await findIdentity(db, tenantId, claims)
  const address = typeof claims.email === 'string' ? claims.email.slice(0, 254) : ''
  if (!identity) requireVerifiedEmail(claims)
  const matched = findRule(rules, claims)
  if (!matched || matched.rule.outcome === 'refuse') throw new SsoRefusal('rule', address)
  const { account, isCreated } = identity
    ? { account: await lockAccount(db, tenantId, identity.user_id), isCreated: false }
    : await linkFirst(db, context, tenantId, claims, { rule: matched.rule, passwordHash })
  if (!isCreated) await applyRule(db, context, tenantId, account, matched)
  else if (account.role === 'admin') await notifyAdministrators(db, context, tenantId, account.email)
  return { id: account.id, email: account.email }
}
