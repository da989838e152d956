import type { Revalidate } from '../messages/deliver.ts'
import { toMailBrand } from '../messages/mail-brand.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { type Channel, findAddress, findRecipient, listVisibleLines } from './audience.ts'
import type { Notice } from './plan.ts'
import { renderNotice } from './render-notice.ts'

/** Stored with a queued message: who it is for and what it reports. */
export interface QueuedNotice extends Notice {
  userId: number
}

export const listLineIds = ({ changes, usage }: Notice) => [
  ...new Set([...changes.map(({ lineId }) => lineId), ...usage.flatMap(({ lineIds }) => lineIds)]),
]

/** Checks a notification again when it is sent: the user, their preferences, and which of its lines they may see. */
export const revalidateNotice: Revalidate = async (db, tenantId, row) => {
  const notice = row.notice as unknown as QueuedNotice
  const channel = row.channel as Channel
  const user = await findRecipient(db, tenantId, notice.userId)
  if (!user || findAddress(user, channel) !== row.recipient)
    return { withdrawn: 'The user is gone or has turned these notifications off.' }
  const lines = await listVisibleLines(db, tenantId, user, listLineIds(notice))
  const brand = toMailBrand((await getTenantConfiguration(db, tenantId)).config)
  const words = renderNotice(notice, { brand, channel, timeZone: user.time_zone, lines })
  return words ?? { withdrawn: 'The user may no longer see what it is about.' }
}
