import type { MailDigest } from '#contract/mail-digest.ts'
import { queueMail } from '../messages/queue-mail.ts'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import type { Recipient } from './audience.ts'
import { nextLocalMinute } from './local-time.ts'
import type { Notice } from './plan-state.ts'
import { type QueuedDigest, writeDigest } from './revalidate-notice.ts'

const HOUR_MS = 3_600_000
const DAILY_AT_MINUTE = 8 * 60

/** When the digest is sent for changes that were queued at a time. */
export const findDigestTime = (atMs: number, digest: MailDigest, timeZone: string): number => {
  if (digest === 'at once') return atMs
  return digest === 'hourly'
    ? (Math.floor(atMs / HOUR_MS) + 1) * HOUR_MS
    : nextLocalMinute(atMs, DAILY_AT_MINUTE, timeZone)
}

export const addToDigest = (db: Db, tenantId: string, userId: number, notice: Notice) =>
  db
    .insertInto('notification_digests')
    .values({
      tenant_id: tenantId,
      user_id: userId,
      notice: JSON.stringify(notice),
      queued_at: new Date(notice.atMs),
    })
    .execute()

export const deleteDigest = (db: Db, tenantId: string, userId: number) =>
  db.deleteFrom('notification_digests').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()

/**
 * Queues one mail with all pending notices, if it is due. A user who has switched to single mails gets the pending ones
 * immediately. Returns when it is due, if anything is pending.
 */
export const sendDigest = async (
  db: Db,
  tenantId: string,
  user: Recipient,
  until: Date,
): Promise<number | undefined> => {
  const rows = await db
    .selectFrom('notification_digests')
    .select(['notice', 'queued_at'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', user.id)
    .orderBy('id')
    .execute()
  const [first] = rows
  if (!first) return undefined
  const dueMs = findDigestTime(first.queued_at.getTime(), user.digest as MailDigest, user.tenant_zone)
  if (dueMs > until.getTime()) return dueMs
  const digest = { userId: user.id, digest: rows.map(({ notice }) => notice as unknown as Notice) }
  const words = await writeDigest(db, tenantId, user, digest.digest)
  if (words)
    await queueMail(db, tenantId, {
      to: user.email,
      subject: words.subject,
      text: words.text,
      html: words.html ?? '',
      notice: digest satisfies QueuedDigest as unknown as Json,
    })
  await deleteDigest(db, tenantId, user.id)
  return undefined
}
