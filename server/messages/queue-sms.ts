import { randomUUID } from 'node:crypto'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import type { Secrets } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { sealBody } from './sealed-body.ts'

export interface Sms {
  /** In E.164 form. */
  to: string
  text: string
  /** Listed instead of a text that is sealed. */
  subject?: string
  /** The text contains a code: it is encrypted until it is sent, and deleted then. */
  sealWith?: Secrets
  /** What it is about and for whom. Permissions are checked again when it is sent. */
  notice?: Json
  notBefore?: Date
  expiresAt: Date
}

/** Queues a text in the transaction that causes it, so that it is sent only if that commits. Returns its id. */
export const queueSms = async (db: Db, tenantId: string, sms: Sms): Promise<string> => {
  const id = randomUUID()
  await db
    .insertInto('messages')
    .values({
      tenant_id: tenantId,
      id,
      channel: 'sms',
      recipient: sms.to,
      subject: sms.subject ?? '',
      text: sms.sealWith ? '' : sms.text,
      sealed_body: sms.sealWith ? sealBody(sms.sealWith, tenantId, id, { text: sms.text, html: null }) : null,
      message_id: `<${id}@${tenantId}.dishboard>`,
      notice: sms.notice === undefined ? null : JSON.stringify(sms.notice),
      ...(sms.notBefore && { due_at: sms.notBefore }),
      expires_at: sms.expiresAt,
    })
    .execute()
  await enqueue(db, 'sms', tenantId, sms.notBefore && { dueAt: sms.notBefore })
  return id
}
