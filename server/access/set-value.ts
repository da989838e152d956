import { invalid } from '#contract/errors.ts'
import { type FeatureItem, featureItems, listFeatureValues } from '#contract/features.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { lockUser } from '../users/queries.ts'

interface AccessValue {
  user_id: string
  item_code: string
  value: string
}

const isItem = (code: string): code is FeatureItem => Object.hasOwn(featureItems, code)

/**
 * Grants or revokes one item of one user. It takes effect with their next call; open streams notice within seconds.
 */
export const setAccessValue = (ctx: Context, input: AccessValue) =>
  ctx.transaction(async (db) => {
    const { item_code, value } = input
    if (!isItem(item_code)) throw invalid(`item_code: there is no item '${item_code}'.`)
    if (!listFeatureValues(item_code).includes(value))
      throw invalid(`value: please choose one of ${listFeatureValues(item_code).join(', ')}.`)
    const { id, email } = await lockUser(db, ctx.tenantId, Number(input.user_id), { orService: true })
    const before = await db
      .selectFrom('feature_grants')
      .select('value')
      .where('tenant_id', '=', ctx.tenantId)
      .where('user_id', '=', id)
      .where('item', '=', item_code)
      .executeTakeFirst()
    if (before?.value === value) return input
    const now = ctx.services.now()
    const set = { value, changed_by: ctx.user.email, changed_at: now }
    await db
      .insertInto('feature_grants')
      .values({ tenant_id: ctx.tenantId, user_id: id, item: item_code, ...set })
      .onConflict((clash) => clash.columns(['tenant_id', 'user_id', 'item']).doUpdateSet(set))
      .execute()
    await recordAudit(db, ctx.tenantId, now, {
      performer: ctx.user.email,
      action: 'access.set',
      performee: email,
      details: {
        before: { [item_code]: before?.value ?? featureItems[item_code].default },
        after: { [item_code]: value },
      },
    })
    await recordSecurityEvent(db, ctx.tenantId, now, {
      kind: 'rights_changed',
      account: email,
      userId: id,
      actor: ctx.user.email,
      origin: ctx,
      details: { [item_code]: `${before?.value ?? featureItems[item_code].default} → ${value}` },
    })
    return input
  }, Number(input.user_id))
