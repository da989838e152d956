import { randomUUID } from 'node:crypto'
import { isEmail } from '#contract/credentials.ts'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import type { Secrets } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { sealBody } from './sealed-body.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  replyTo?: string | undefined
  /** The body contains a password or a code: it is encrypted until the mail is sent, and deleted then. */
  sealWith?: Secrets
  /** After this time the mail is useless and is not sent. */
  expiresAt?: Date
  /** What it is about and for whom. Permissions are checked again when it is sent. */
  notice?: Json
}

const SUBJECT_MAX = 200

/** Subjects contain names that users chose. A line break in one would start another header. */
const oneLine = (text: string) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_MAX)

/** Queues a mail in the transaction that causes it, so that it is sent only if that commits. Returns its id. */
export const queueMail = async (db: Db, tenantId: string, mail: Mail): Promise<string> => {
  for (const address of [mail.to, mail.replyTo])
    if (address !== undefined && !isEmail(address))
      throw new Error(`This is not an e-mail address: ${JSON.stringify(address)}`)
  const id = randomUUID()
  await db
    .insertInto('messages')
    .values({
      tenant_id: tenantId,
      id,
      channel: 'email',
      recipient: mail.to,
      reply_to: mail.replyTo ?? null,
      subject: oneLine(mail.subject),
      text: mail.sealWith ? '' : mail.text,
      html: mail.sealWith ? null : mail.html,
      sealed_body: mail.sealWith ? sealBody(mail.sealWith, tenantId, id, mail) : null,
      message_id: `<${id}@${tenantId}.dishboard>`,
      expires_at: mail.expiresAt ?? null,
      notice: mail.notice === undefined ? null : JSON.stringify(mail.notice),
    })
    .execute()
  await enqueue(db, 'mail', tenantId)
  return id
}
