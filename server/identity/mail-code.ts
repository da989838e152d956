import { randomInt } from 'node:crypto'
import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { type Secrets, sha256 } from '../platform/secrets.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { addChallengeLifetime, CHALLENGE_MINUTES } from './sign-in-challenges.ts'

const DIGITS = 6

const buildPurpose = (tenantId: string, userId: number) => `sign-in-code:${tenantId}:${userId}`

export const isMailedCode = (
  { matchesDigest }: Secrets,
  tenantId: string,
  row: { user_id: number; code_hash: Buffer | null },
  code: string,
) => row.code_hash !== null && matchesDigest(row.code_hash, code, buildPurpose(tenantId, row.user_id))

/** Mails a code for a challenge. It invalidates an earlier code, but the attempt count continues. */
export const mailCode = async (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  user: { id: number; email: string },
  challenge: string,
) => {
  const { secrets, now } = context.services
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
  const expiresAt = addChallengeLifetime(now())
  await db
    .updateTable('sign_in_codes')
    .set({
      code_hash: secrets.digest(code, buildPurpose(tenantId, user.id)),
      sent_at: now(),
      expires_at: expiresAt,
    })
    .where('tenant_id', '=', tenantId)
    .where('challenge_hash', '=', sha256(challenge))
    .execute()
  await queueBrandedMail(db, tenantId, [user.email], ({ company }) => ({
    subject: `Your verification code for ${company}`,
    heading: 'Your verification code',
    paragraphs: [
      `Enter this code to sign in to ${company}.`,
      `It works once, for ${CHALLENGE_MINUTES} minutes. If you did not try to sign in, somebody else knows your password: please change it.`,
    ],
    code,
    sealWith: secrets,
    expiresAt,
  }))
  const { id: userId, email: account } = user
  await recordSecurityEvent(db, tenantId, now(), { kind: 'code_sent', account, userId, origin: context })
}
