import { followIncidents } from '../incidents/follow-incidents.ts'
import type { Revalidate } from '../messages/deliver.ts'
import { toMailBrand } from '../messages/mail-brand.ts'
import type { Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { findPages } from '../tenants/pages.ts'
import { type Channel, findAddress, findRecipient, listVisibleLines, type Recipient } from './audience.ts'
import { createLinkSigner } from './mail-links.ts'
import type { Notice } from './plan-state.ts'
import { type DigestPart, renderDigest, renderNotice, type SignLink } from './render-notice.ts'

/** Stored with a queued message: its recipient and what it reports. */
export interface QueuedNotice extends Notice {
  userId: number
}

/** A message queued by an older version names no incidents. */
type OlderNotice = Omit<QueuedNotice, 'incidents'> & Partial<Pick<QueuedNotice, 'incidents'>>

/** A mail with several notices. */
export interface QueuedDigest {
  userId: number
  digest: Notice[]
}

const listLineIds = ({ changes, usage, warnings = [] }: Notice) => [
  ...new Set([...[...changes, ...warnings].map(({ lineId }) => lineId), ...usage.flatMap(({ lineIds }) => lineIds)]),
]

/** The incidents and early warnings that a notice is about. */
export const listIncidentIds = ({ incidents, warnings = [] }: Notice) => [
  ...incidents.map(({ id }) => id),
  ...warnings.map(({ incidentId }) => incidentId),
]

/** The text of a notice for a user, limited to the lines that they may currently see. */
export const writeNotice = async (
  db: Db,
  tenantId: string,
  user: Recipient,
  channel: Channel,
  notice: Notice,
  signLink?: SignLink,
) => {
  const lines = await listVisibleLines(db, tenantId, user, listLineIds(notice))
  const { config, units } = await getTenantConfiguration(db, tenantId)
  const seen = new Set(lines.map(({ id }) => id))
  const incidents = await followIncidents(db, tenantId, listIncidentIds(notice), {
    seesAll: user.role === 'admin',
    terminalIds: [...notice.changes, ...(notice.warnings ?? [])]
      .filter(({ lineId }) => seen.has(lineId))
      .map(({ terminalId }) => terminalId),
  })
  const pages = await findPages(db, tenantId)
  return renderNotice(notice, {
    brand: toMailBrand(config),
    channel,
    timeZone: user.time_zone,
    units,
    lines,
    incidents,
    pages,
    signLink,
  })
}

/** The text of a digest, limited to what the user may currently read; undefined if nothing is left. */
export const writeDigest = async (
  db: Db,
  tenantId: string,
  user: Recipient,
  notices: readonly Notice[],
  signLink?: SignLink,
) => {
  const parts: DigestPart[] = []
  for (const notice of notices) {
    const words = await writeNotice(db, tenantId, user, 'email', notice, signLink)
    if (words) parts.push({ atMs: notice.atMs, subject: words.subject, links: words.links })
  }
  if (parts.length === 0) return undefined
  const { config } = await getTenantConfiguration(db, tenantId)
  return renderDigest(toMailBrand(config), parts, user.time_zone)
}

/** Checks a notification again when it is sent: the user, their preferences, and which of its lines they may see. */
export const createRevalidateNotice =
  ({ secrets, now }: Pick<Services, 'secrets' | 'now'>): Revalidate =>
  async (db, tenantId, row) => {
    const stored = row.notice as unknown as QueuedDigest | OlderNotice
    const channel = row.channel as Channel
    const user = await findRecipient(db, tenantId, stored.userId)
    if (!user || findAddress(user, channel) !== row.recipient)
      return { withdrawn: 'The user is gone or has turned these notifications off.' }
    const signLink = createLinkSigner(secrets, { tenantId, userId: stored.userId }, now())
    const words =
      'digest' in stored
        ? await writeDigest(db, tenantId, user, stored.digest, signLink)
        : await writeNotice(db, tenantId, user, channel, { ...stored, incidents: stored.incidents ?? [] }, signLink)
    return words ?? { withdrawn: 'The user may no longer see what it is about.' }
  }
