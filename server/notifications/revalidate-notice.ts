import { followIncidents } from '../incidents/follow-incidents.ts'
import type { Revalidate } from '../messages/deliver.ts'
import { toMailBrand } from '../messages/mail-brand.ts'
import type { Db } from '../platform/database/database.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { findPages } from '../tenants/pages.ts'
import { type Channel, findAddress, findRecipient, listVisibleLines, type Recipient } from './audience.ts'
import type { Notice } from './plan.ts'
import { renderNotice } from './render-notice.ts'

/** Stored with a queued message: who it is for and what it reports. */
export interface QueuedNotice extends Notice {
  userId: number
}

const listLineIds = ({ changes, usage }: Notice) => [
  ...new Set([...changes.map(({ lineId }) => lineId), ...usage.flatMap(({ lineIds }) => lineIds)]),
]

/** The words of a notice for a user, of whose lines nothing is said beyond those that they may see now. */
export const writeNotice = async (db: Db, tenantId: string, user: Recipient, channel: Channel, notice: Notice) => {
  const lines = await listVisibleLines(db, tenantId, user, listLineIds(notice))
  const { config } = await getTenantConfiguration(db, tenantId)
  const seen = new Set(lines.map(({ id }) => id))
  const incidents = await followIncidents(
    db,
    tenantId,
    notice.incidents.map(({ id }) => id),
    {
      seesAll: user.role === 'admin',
      terminalIds: notice.changes.filter(({ lineId }) => seen.has(lineId)).map(({ terminalId }) => terminalId),
    },
  )
  const pages = await findPages(db, tenantId)
  return renderNotice(notice, {
    brand: toMailBrand(config),
    ...{ channel, timeZone: user.time_zone, lines, incidents, pages },
  })
}

/** Checks a notification again when it is sent: the user, their preferences, and which of its lines they may see. */
export const revalidateNotice: Revalidate = async (db, tenantId, row) => {
  // A message that was queued by an older version names no incidents.
  const stored = row.notice as unknown as Omit<QueuedNotice, 'incidents'> & Partial<Pick<QueuedNotice, 'incidents'>>
  const notice: QueuedNotice = { ...stored, incidents: stored.incidents ?? [] }
  const channel = row.channel as Channel
  const user = await findRecipient(db, tenantId, notice.userId)
  if (!user || findAddress(user, channel) !== row.recipient)
    return { withdrawn: 'The user is gone or has turned these notifications off.' }
  const words = await writeNotice(db, tenantId, user, channel, notice)
  return words ?? { withdrawn: 'The user may no longer see what it is about.' }
}
