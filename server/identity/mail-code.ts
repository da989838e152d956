import { randomInt } from 'node:crypto'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'

const LIFETIME_MINUTES = 10
const DIGITS = 6

export const hashCode = ({ digest }: Secrets, tenantId: string, userId: number, code: string) =>
  digest(code, `sign-in-code:${tenantId}:${userId}`)

/** Mails a new code to a user who gave the right password. Older codes stop working. */
export const mailCode = async (
  db: Db,
  { secrets, now }: Services,
  tenantId: string,
  user: { id: number; email: string },
) => {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const expiresAt = new Date(now().getTime() + LIFETIME_MINUTES * 60_000)
  const row = { code_hash: hashCode(secrets, tenantId, user.id, code), tries: 0, expires_at: expiresAt }
  await db
    .insertInto('sign_in_codes')
    .values({ tenant_id: tenantId, user_id: user.id, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(row))
    .execute()
  await queueBrandedMail(db, tenantId, [user.email], ({ company }) => ({
    subject: `Your verification code for ${company}`,
    heading: 'Your verification code',
    paragraphs: [
      `Enter this code to sign in to ${company}.`,
      `It works once, for ${LIFETIME_MINUTES} minutes. If you did not try to sign in, somebody else knows your password: please change it.`,
    ],
    code,
    sealWith: secrets,
    expiresAt,
  }))
}
