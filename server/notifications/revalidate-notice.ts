import { explainChanges } from '../incidents/explain-changes.ts'
import type { Revalidate } from '../messages/deliver.ts'
import { toMailBrand } from '../messages/mail-brand.ts'
import type { Db } from '../platform/database/database.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import {
  type Channel,
  findAddress,
  findRecipient,
  listVisibleLines,
  type Recipient,
  type VisibleLine,
} from './audience.ts'
import type { Notice } from './plan.ts'
import { renderNotice } from './render-notice.ts'
import { formatName } from './words.ts'

/** Stored with a queued message: who it is for and what it reports. */
export interface QueuedNotice extends Notice {
  userId: number
}

export const listLineIds = ({ changes, usage }: Notice) => [
  ...new Set([...changes.map(({ lineId }) => lineId), ...usage.flatMap(({ lineIds }) => lineIds)]),
]

/** Why the terminals of a notice changed, as the user may read it. */
export const explainNotice = (
  db: Db,
  tenantId: string,
  { role }: Pick<Recipient, 'role'>,
  { changes }: Notice,
  lines: readonly VisibleLine[],
) => {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const explained = changes.flatMap(({ terminalId, lineId, sinceMs }) => {
    const line = byId.get(lineId)
    return line ? [{ terminalId, sinceMs, name: formatName(line), place: line.city ?? line.state }] : []
  })
  return explainChanges(db, tenantId, explained, { seesAll: role === 'admin' })
}

/** Checks a notification again when it is sent: the user, their preferences, and which of its lines they may see. */
export const revalidateNotice: Revalidate = async (db, tenantId, row) => {
  const notice = row.notice as unknown as QueuedNotice
  const channel = row.channel as Channel
  const user = await findRecipient(db, tenantId, notice.userId)
  if (!user || findAddress(user, channel) !== row.recipient)
    return { withdrawn: 'The user is gone or has turned these notifications off.' }
  const lines = await listVisibleLines(db, tenantId, user, listLineIds(notice))
  const brand = toMailBrand((await getTenantConfiguration(db, tenantId)).config)
  const verdicts = await explainNotice(db, tenantId, user, notice, lines)
  const words = renderNotice(notice, { brand, channel, timeZone: user.time_zone, lines, verdicts })
  return words ?? { withdrawn: 'The user may no longer see what it is about.' }
}
