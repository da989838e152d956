import type { Selectable } from 'kysely'
import type { resendHindrances } from '#contract/deliveries.ts'
import { conflict, notFound } from '#contract/errors.ts'
import { recordAudit } from '../audit/record.ts'
import { consume, perMinutes } from '../identity/rate-limits.ts'
import { queueMail } from '../messages/queue-mail.ts'
import { queueSms } from '../messages/queue-sms.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { DB } from '../platform/database/schema.ts'

export type MessageRow = Selectable<DB['messages']>

type Hindrance = (typeof resendHindrances)[number]

const refusals: Record<Hindrance, string> = {
  'under way': 'This message has not been sent yet.',
  secret: 'Messages with codes or passwords are never sent again. Their user can request another one.',
  expired: 'This message is out of date and is not sent again.',
}

/** A text costs money, and repeats annoy the recipient. */
const buildLimits = (userId: number, messageId: string) => [
  perMinutes(`resend:${userId}`, 30, 60),
  perMinutes(`resend-message:${messageId}`, 3, 24 * 60),
]
const describeWait = (wait: string) => `Messages were sent again too often. Please try again in ${wait}.`

export const getMessage = async (db: Db, tenantId: string, id: string): Promise<MessageRow> => {
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('There is no such message.')
  return row
}

/** What prevents a message from being resent. The body of one with a code or a password is sealed, then deleted. */
export const findHindrance = (row: MessageRow, now: Date): Hindrance | undefined => {
  if (row.sealed_body !== null || row.text === '') return 'secret'
  if (row.finished_at === null) return 'under way'
  return row.expires_at !== null && row.expires_at <= now ? 'expired' : undefined
}

/**
 * Queues a copy, because mail servers drop a second mail with the same Message-ID, and the log retains what happened to
 * the first. What the user may see is checked again when the copy is sent.
 */
const queueCopy = (db: Db, row: MessageRow) => {
  const copy = {
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    resendOf: row.id,
    ...(row.notice !== null && { notice: row.notice }),
  }
  return row.channel === 'sms'
    ? queueSms(db, row.tenant_id, { ...copy, expiresAt: row.expires_at as Date })
    : queueMail(db, row.tenant_id, {
        ...copy,
        html: row.html ?? '',
        replyTo: row.reply_to ?? undefined,
        ...(row.expires_at && { expiresAt: row.expires_at }),
      })
}

export const resendMessage = (ctx: Context, { messageId }: { messageId: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, services, user } = ctx
    const now = services.now()
    const row = await getMessage(db, tenantId, messageId)
    const hindrance = findHindrance(row, now)
    if (hindrance) throw conflict(refusals[hindrance])
    await consume(db, tenantId, buildLimits(user.userId, messageId), now, describeWait)
    const copyId = await queueCopy(db, row)
    await recordAudit(db, tenantId, now, {
      performer: user.email,
      action: 'message.resend',
      performee: row.recipient,
      details: { message: messageId, copy: copyId, channel: row.channel, subject: row.subject },
    })
    return { message: 'The message is being sent again.', messageId: copyId }
  })
