import { randomUUID } from 'node:crypto'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import type { Secrets } from '../platform/secrets.ts'
import { sealBody } from './sealed-body.ts'

export interface QueuedMessage {
  to: string
  text: string
  /** The body contains a password or a code: it is encrypted until the message is sent, and then deleted. */
  sealWith?: Secrets
  /** After this time the message is useless and is not sent. */
  expiresAt?: Date
  /** Its subject and recipient. Permissions are checked again when it is sent. */
  notice?: Json
  /** The original message, if this is a copy. */
  resendOf?: string
}

interface Row {
  channel: 'email' | 'sms'
  subject: string
  html?: string
  reply_to?: string | undefined
  due_at?: Date | undefined
}

/** Stores a message in the transaction that causes it, so that it is sent only if that transaction commits. Returns its id. */
export const insertMessage = async (
  db: Db,
  tenantId: string,
  { to, text, sealWith, expiresAt, notice, resendOf }: QueuedMessage,
  { channel, subject, html, reply_to, due_at }: Row,
): Promise<string> => {
  const id = randomUUID()
  const body = { text, html: html ?? null }
  await db
    .insertInto('messages')
    .values({
      tenant_id: tenantId,
      id,
      channel,
      recipient: to,
      reply_to: reply_to ?? null,
      subject,
      ...(sealWith ? { text: '', sealed_body: sealBody(sealWith, tenantId, id, body) } : body),
      message_id: `<${id}@${tenantId}.dishboard>`,
      ...(due_at && { due_at }),
      expires_at: expiresAt ?? null,
      notice: notice === undefined ? null : JSON.stringify(notice),
      resend_of: resendOf ?? null,
    })
    .execute()
  return id
}
