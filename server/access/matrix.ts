import { sql } from 'kysely'
import type { AccessMatrix, EffectiveAccess } from '#contract/access.ts'
import { type FeatureItem, featureCodes, featureItems, listFeatureValues } from '#contract/features.ts'
import { sortNaturally } from '#contract/format/natural-order.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { Role } from '#contract/identity.ts'
import type { Db } from '../platform/database/database.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { noSuchUser } from '../users/queries.ts'
import { getEffectiveValue } from './effective.ts'

const describeItem = (code: FeatureItem) => {
  const { label, allows, kind, default: default_value } = featureItems[code]
  const enum_options = kind === 'enum' ? [...listFeatureValues(code)] : []
  return { code, label, kind, default_value, enum_options, allows }
}

/** Services without a valid token are not listed. */
const hasValidToken = (now: Date) => sql<boolean>`exists (
  select from api_tokens as token where token.tenant_id = users.tenant_id and token.user_id = users.id
    and token.revoked_at is null and token.expires_at > ${now})`

/** All users, all items, and the values that are set. */
export const getMatrix = async (db: Db, tenantId: string, now: Date): Promise<AccessMatrix> => {
  const users = await db
    .selectFrom('users')
    .select(['id', 'customer_name', 'email', 'group_name', 'role'])
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('is_service', '=', false), hasValidToken(now)]))
    .orderBy('id')
    .execute()
  const grants = await db
    .selectFrom('feature_grants')
    .select(['user_id', 'item', 'value'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`item = any(${featureCodes}::text[])`)
    .execute()
  const values: AccessMatrix['values'] = {}
  for (const { user_id, item, value } of grants) values[user_id] = { ...values[user_id], [item]: value }
  return {
    users: sortNaturally(users, ({ customer_name }) => customer_name).map((user) => ({
      id: String(user.id),
      full_name: user.customer_name,
      email: user.email,
      username: user.group_name,
      role: user.role as Role,
    })),
    items: featureCodes.map(describeItem),
    values,
  }
}

const words: Record<string, string> = { true: 'yes', false: 'no' }
const shownValue = (value: string) => words[value] ?? value.replaceAll('_', ' ')

const explainValue = (
  source: EffectiveAccess['items'][number]['source'],
  set: { value: string; changed_by: string; changed_at: Date } | undefined,
  code: FeatureItem,
  timeZone: string,
) => {
  const by = set && `by ${set.changed_by || 'an administrator'} on ${formatDateTime(set.changed_at, timeZone)}`
  if (source === 'set') return `Set to ${shownValue(set?.value ?? '')} ${by}.`
  if (source === 'default')
    return `Nothing was set for this user; the default is ${shownValue(featureItems[code].default)}.`
  const otherwise = set ? ` As a user they would have ${shownValue(set.value)}, set ${by}.` : ''
  return `Administrators hold every item.${otherwise}`
}

/** The effective items of one user, and the source of each. */
export const getEffective = async (db: Db, tenantId: string, userId: number): Promise<EffectiveAccess> => {
  const rows = await db
    .selectFrom('users as u')
    .leftJoin('feature_grants as g', (join) =>
      join.onRef('g.tenant_id', '=', 'u.tenant_id').onRef('g.user_id', '=', 'u.id'),
    )
    .select(['u.customer_name', 'u.role', 'g.item', 'g.value', 'g.changed_by', 'g.changed_at'])
    .where('u.tenant_id', '=', tenantId)
    .where('u.id', '=', userId)
    .execute()
  const [user] = rows
  if (!user) throw noSuchUser()
  const timeZone = await getTimeZone(db, tenantId)
  const role = user.role as Role
  const sets = new Map(
    rows.flatMap(({ item, value, changed_by, changed_at }) =>
      item !== null && value !== null && changed_by !== null && changed_at !== null
        ? [[item, { value, changed_by, changed_at }] as const]
        : [],
    ),
  )
  return {
    user_id: String(userId),
    full_name: user.customer_name,
    role,
    items: featureCodes.map((code) => {
      const set = sets.get(code)
      const { value, source } = getEffectiveValue(code, role, set?.value)
      const { label, allows } = featureItems[code]
      const why = explainValue(source, set, code, timeZone)
      return { code, label, allows, value, source, why }
    }),
  }
}
