import { randomUUID } from 'node:crypto'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

export interface Sms {
  /** In E.164 form. */
  to: string
  text: string
  notice: Json
  notBefore: Date
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
      text: sms.text,
      message_id: `<${id}@${tenantId}.dishboard>`,
      notice: JSON.stringify(sms.notice),
      due_at: sms.notBefore,
      expires_at: sms.expiresAt,
    })
    .execute()
  await enqueue(db, 'sms', tenantId, { dueAt: sms.notBefore })
  return id
}
