import { randomUUID } from 'node:crypto'
import { isEmail } from '#contract/credentials.ts'
import type { Db } from '../platform/database/database.ts'
import type { Json } from '../platform/database/schema.ts'
import { enqueue } from '../platform/worker/enqueue.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  replyTo?: string | undefined
  /** The body holds a password or a code: it is erased once the mail has left. */
  isSecret?: boolean
  /** After this the mail is of no use, and is not sent any more. */
  expiresAt?: Date
  /** What it is about and for whom; rights to it are checked again when it is sent. */
  notice?: Json
}

const SUBJECT_MAX = 200

/** Subjects carry names that others chose; a line break in one would begin a header of its own. */
const oneLine = (text: string) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, SUBJECT_MAX)

/** Writes a mail in the transaction that causes it: it leaves if and only if that commits. Answers its id. */
export const queueMail = async (db: Db, tenantId: string, mail: Mail): Promise<string> => {
  for (const address of [mail.to, mail.replyTo])
    if (address !== undefined && !isEmail(address))
      throw new Error(`This is no e-mail address: ${JSON.stringify(address)}`)
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
      text: mail.text,
      html: mail.html,
      message_id: `<${id}@${tenantId}.dishboard>`,
      is_secret: mail.isSecret ?? false,
      expires_at: mail.expiresAt ?? null,
      notice: mail.notice === undefined ? null : JSON.stringify(mail.notice),
    })
    .execute()
  await enqueue(db, 'mail', tenantId)
  return id
}
