import { sql } from 'kysely'
import { invalid } from '#contract/errors.ts'
import type { Rule, TriedClaims } from '#contract/single-sign-on.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { isUsableAddress } from './accounts.ts'
import { type Claims, findRule, isEmailVerified } from './rules.ts'

const parseObject = (text: string): Claims | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : undefined
  } catch {
    return undefined
  }
}

/** A JSON object, or the payload of a token. */
const readSample = (sample: string) => {
  const text = sample.trim()
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(text)?.[1]
  const claims = parseObject(payload ? Buffer.from(payload, 'base64url').toString('utf8') : text)
  if (!claims) throw invalid('sample: please enter a JSON object of claims, or a token.')
  return claims
}

const describeAccount = async (db: Db, tenantId: string, claims: Claims) => {
  const { email, iss, sub } = claims
  const { rows } = await sql<{ linked: string | null; same_address: string | null }>`
    select (select users.email from sso_identities as i
        join users on users.tenant_id = i.tenant_id and users.id = i.user_id
        where i.tenant_id = ${tenantId} and i.issuer = ${String(iss ?? '')} and i.subject = ${String(sub ?? '')}) as linked,
      (select email from users where tenant_id = ${tenantId} and not is_service
        and lower(email) = ${String(email ?? '').toLowerCase()}) as same_address`.execute(db)
  const { linked, same_address } = rows[0] ?? {}
  if (linked) return `It is linked to ${linked} already.`
  if (email === undefined) return 'A first sign-in would be refused: there is no email address.'
  if (!isUsableAddress(email)) return 'A first sign-in would be refused: the email address cannot be used.'
  if (!isEmailVerified(claims)) return 'A first sign-in would be refused: the email address is not verified.'
  return same_address ? `It would be linked to the account ${same_address}.` : `An account ${email} would be created.`
}

/** Which rule matches sample claims, and what would happen. Read-only. */
export const tryClaims = async (
  ctx: Context,
  { sample, rules }: { sample: string; rules: readonly Rule[] },
): Promise<TriedClaims> => {
  const claims = readSample(sample)
  // Text that PostgreSQL cannot store cannot be looked up either.
  if (/[\0\p{Cs}]/u.test([claims.email, claims.iss, claims.sub].join('')))
    throw invalid('sample: please remove characters that cannot be stored.')
  const matched = findRule(rules, claims)
  if (!matched) return { rule: null, outcome: 'refuse', group: '', text: 'No rule matches, so the sign-in is refused.' }
  const { place, rule } = matched
  if (rule.outcome === 'refuse')
    return { rule: place, outcome: 'refuse', group: '', text: `Rule ${place} refuses the sign-in.` }
  const account = await ctx.transaction((db) => describeAccount(db, ctx.tenantId, claims))
  const who = rule.outcome === 'admin' ? 'an administrator' : 'a user'
  return {
    rule: place,
    outcome: rule.outcome,
    group: rule.group,
    text: `Rule ${place} admits as ${who} of the group ${rule.group}. ${account}`,
  }
}
