import { isEmail } from '#contract/credentials.ts'
import type { Db } from '../platform/database/database.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { insertMessage, type QueuedMessage } from './insert-message.ts'

export interface Mail extends QueuedMessage {
  subject: string
  html: string
  replyTo?: string | undefined
}

const SUBJECT_MAX = 200

/** Subjects contain names that users chose. A line break in one would start another header. */
const oneLine = (text: string) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_MAX)

/** Queues a mail in the transaction that causes it, so that it is sent only if that transaction commits. Returns its id. */
export const queueMail = async (db: Db, tenantId: string, mail: Mail): Promise<string> => {
  for (const address of [mail.to, mail.replyTo])
    if (address !== undefined && !isEmail(address))
      throw new Error(`This is not an email address: ${JSON.stringify(address)}`)
  const id = await insertMessage(db, tenantId, mail, {
    channel: 'email',
    subject: oneLine(mail.subject),
    html: mail.html,
    reply_to: mail.replyTo,
  })
  await enqueue(db, 'mail', tenantId)
  return id
}
