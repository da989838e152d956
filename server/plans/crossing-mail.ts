import type { OverLimitBehavior } from '#contract/plans.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Db } from '../platform/database/database.ts'
import { getLimitGb, type PoolRow } from './pool-row.ts'

/** Administrators, and the plan managers of the customer whose pool it is. */
const listRecipients = async (db: Db, pool: PoolRow) => {
  const users = await db
    .selectFrom('users as user')
    .leftJoin('feature_grants as held', (join) =>
      join
        .onRef('held.tenant_id', '=', 'user.tenant_id')
        .onRef('held.user_id', '=', 'user.id')
        .on('held.item', '=', 'plan_manager')
        .on('held.value', '=', 'true'),
    )
    .select('user.email')
    .where('user.tenant_id', '=', pool.tenant_id)
    .where((or) =>
      or.or([
        or('user.role', '=', 'admin'),
        or.and([or('held.item', 'is not', null), or('user.group_name', '=', pool.group_name)]),
      ]),
    )
    .orderBy('user.id')
    .execute()
  return users.map(({ email }) => email)
}

const gb = (amount: number) => `${amount.toLocaleString('en-US', { maximumFractionDigits: 0 })} GB`

const consequences: Record<OverLimitBehavior, (before: PoolRow, after: PoolRow) => string> = {
  'Hard Cap': () =>
    'Its service lines that buy more data automatically are being opted out of further priority data until the limit is not reached any more.',
  'Soft Cap': () => 'Nothing was changed: this pool only notifies.',
  'Purchase Buckets': (before, after) =>
    `${gb(after.top_up_gb - before.top_up_gb)} were added, so the limit of this cycle is now ${gb(getLimitGb(after))}.`,
}

/** Mails the users who can act on it that a pool has reached its limit. */
export const mailCrossing = async (db: Db, before: PoolRow, after: PoolRow) => {
  await queueBrandedMail(db, before.tenant_id, await listRecipients(db, before), () => ({
    subject: `Pool ${before.name} has reached its limit of ${gb(getLimitGb(before))}`,
    paragraphs: [consequences[before.over_limit_behavior](before, after)],
    facts: [
      ['Pool', `${before.name} (${before.id})`],
      ['Used', gb(before.used_gb)],
      ['Limit', gb(getLimitGb(before))],
      ['Over limit behavior', before.over_limit_behavior],
      ['Billing cycle', `from ${before.cycle_start} until ${before.cycle_end} (UTC)`],
    ],
  }))
}
