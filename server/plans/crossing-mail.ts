import { formatDay } from '#contract/format/times.ts'
import { formatWholeGb } from '#contract/format/units.ts'
import type { OverLimitBehavior } from '#contract/plans.ts'
import { selectViewers, toViewer } from '../access/select-viewers.ts'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Db } from '../platform/database/database.ts'
import { getLimitGb, type PoolRow } from './pool-row.ts'

/** The users who may see the pool and manage it. */
const listRecipients = async (db: Db, pool: PoolRow) => {
  const users = await selectViewers(db, pool.tenant_id)
    .where('user.is_service', '=', false)
    .orderBy('user.id')
    .execute()
  return users
    .map(toViewer)
    .filter(({ group, seesPlans }) => seesPlans && (group === undefined || group === pool.group_name))
    .map(({ email }) => email)
}

const consequences: Record<OverLimitBehavior, (before: PoolRow, after: PoolRow) => string> = {
  'Hard Cap': () =>
    'Its service lines that buy more data automatically are being opted out of further priority data until the limit is not reached any more.',
  'Soft Cap': () => 'Nothing was changed: this pool only notifies.',
  'Purchase Buckets': (before, after) =>
    `${formatWholeGb(after.top_up_gb - before.top_up_gb)} were added, so the limit of this cycle is now ${formatWholeGb(getLimitGb(after))}.`,
}

/** Mails the users who can act on it that a pool has reached its limit. */
export const mailCrossing = async (db: Db, before: PoolRow, after: PoolRow) => {
  await queueBrandedMail(db, before.tenant_id, await listRecipients(db, before), () => ({
    subject: `Pool ${before.name} has reached its limit of ${formatWholeGb(getLimitGb(before))}`,
    paragraphs: [consequences[before.over_limit_behavior](before, after)],
    facts: [
      ['Pool', `${before.name} (${before.id})`],
      ['Used', formatWholeGb(before.used_gb)],
      ['Limit', formatWholeGb(getLimitGb(before))],
      ['Over limit behavior', before.over_limit_behavior],
      ['Billing cycle', `from ${formatDay(before.cycle_start)} until ${formatDay(before.cycle_end)} (UTC)`],
    ],
  }))
}
