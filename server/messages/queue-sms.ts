import type { Db } from '../platform/database/database.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { insertMessage, type QueuedMessage } from './insert-message.ts'

/** `to` is a number in E.164 format. */
export interface Sms extends QueuedMessage {
  /** Listed instead of a sealed text. */
  subject?: string
  notBefore?: Date
  expiresAt: Date
}

/** Queues a text in the transaction that causes it, so that it is sent only if that transaction commits. Returns its id. */
export const queueSms = async (db: Db, tenantId: string, sms: Sms): Promise<string> => {
  const { subject = '', notBefore } = sms
  const id = await insertMessage(db, tenantId, sms, { channel: 'sms', subject, due_at: notBefore })
  await enqueue(db, 'sms', tenantId, notBefore && { dueAt: notBefore })
  return id
}
