import type { Revalidate } from '../messages/deliver.ts'
import { toMailBrand } from '../messages/mail-brand.ts'
import { getTenantSettings } from '../tenants/settings.ts'
import { type Channel, findAddress, findRecipient, listVisibleLines } from './audience.ts'
import type { Notice } from './plan.ts'
import { renderNotice } from './render-notice.ts'

/** What stands with a queued message: for whom it is, and what it tells. */
export interface QueuedNotice extends Notice {
  userId: number
}

export const listLineIds = ({ changes, usage }: Notice) => [
  ...new Set([...changes.map(({ lineId }) => lineId), ...usage.flatMap(({ lineIds }) => lineIds)]),
]

/** Checks a notification once more at the moment of sending: the person, their wish, and each line they may see. */
export const revalidateNotice: Revalidate = async (db, tenantId, row) => {
  const notice = row.notice as unknown as QueuedNotice
  const channel = row.channel as Channel
  const user = await findRecipient(db, tenantId, notice.userId)
  if (!user || findAddress(user, channel) !== row.recipient)
    return { withdrawn: 'The person is gone, or does not want it any more.' }
  const lines = await listVisibleLines(db, tenantId, user, listLineIds(notice))
  const brand = toMailBrand((await getTenantSettings(db, tenantId)).config)
  const words = renderNotice(notice, { brand, channel, timeZone: user.time_zone, lines })
  return words ?? { withdrawn: 'The person may not see what it is about any more.' }
}
