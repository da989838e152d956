import { insertMessage } from '#server/messages/insert-message.ts'
import { findAddress, findRecipient, listSubscribers, listVisibleLines } from '#server/notifications/audience.ts'
import { rehearse } from '#server/notifications/rehearse.ts'
import { writeNotice } from '#server/notifications/revalidate-notice.ts'
import type { Db } from '#server/platform/database/database.ts'

const DAY_MS = 86_400_000
const PAST_DAYS = 30
/** All messages about outages of several terminals, and this many of the newest, are enough. */
const NEWEST = 60
const SEVERAL = 3

export const hasMessages = async (db: Db, tenantId: string, before: Date) =>
  (await db
    .selectFrom('messages')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('notice', 'is not', null)
    .where('created_at', '<', before)
    .limit(1)
    .executeTakeFirst()) !== undefined

/**
 * Adds the messages that the outages of the past 30 days would have caused, with the code that rehearses and renders
 * them.
 */
export const addMessages = async (db: Db, tenantId: string, until: Date) => {
  for (const { id } of await listSubscribers(db, tenantId)) {
    const user = await findRecipient(db, tenantId, id)
    const to = user && findAddress(user, 'email')
    if (!user || !to) continue
    const lines = await listVisibleLines(db, tenantId, user, user.selected_line_ids)
    const span = { after: new Date(until.getTime() - PAST_DAYS * DAY_MS), until }
    const sent = await rehearse(db, tenantId, { ...user, by_sms: false }, lines, span)
    const shown = sent.filter(({ notice }, at) => notice.changes.length >= SEVERAL || at >= sent.length - NEWEST)
    for (const { notice } of shown) {
      const words = await writeNotice(db, tenantId, user, 'email', notice)
      if (!words) continue
      const { subject, text, html } = words
      const row = { channel: 'email' as const, subject, html: html ?? '' }
      const message = await insertMessage(db, tenantId, { to, text, notice: { ...notice, userId: id } as never }, row)
      const at = new Date(notice.atMs)
      await db
        .updateTable('messages')
        .set({ state: 'sent', attempts: 1, created_at: at, due_at: at, attempted_at: at, finished_at: at })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', message)
        .execute()
    }
  }
}
