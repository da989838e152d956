import { randomBytes, randomInt } from 'node:crypto'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { type Secrets, sha256 } from '../platform/secrets.ts'

const LIFETIME_MINUTES = 10
export const CHALLENGE_COOKIE = 'sign-in-challenge'
export const CHALLENGE_LIFETIME_S = LIFETIME_MINUTES * 60
const DIGITS = 6

const buildPurpose = (tenantId: string, userId: number) => `sign-in-code:${tenantId}:${userId}`

export const isMailedCode = (
  { matchesDigest }: Secrets,
  tenantId: string,
  row: { user_id: number; code_hash: Buffer },
  code: string,
) => matchesDigest(row.code_hash, code, buildPurpose(tenantId, row.user_id))

/** Mails a code to a user who gave the right password. Returns the challenge, without which the code is worth nothing. */
export const mailCode = async (
  db: Db,
  { secrets, now }: Services,
  tenantId: string,
  user: { id: number; email: string },
) => {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const expiresAt = new Date(now().getTime() + LIFETIME_MINUTES * 60_000)
  const challenge = randomBytes(32).toString('base64url')
  await db
    .insertInto('sign_in_codes')
    .values({
      tenant_id: tenantId,
      challenge_hash: sha256(challenge),
      user_id: user.id,
      code_hash: secrets.digest(code, buildPurpose(tenantId, user.id)),
      expires_at: expiresAt,
    })
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
  return challenge
}
