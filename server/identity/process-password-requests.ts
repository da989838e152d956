import { queueBrandedMail } from '../messages/queue-branded-mail.ts'
import type { Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Secrets } from '../platform/secrets.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { findUserByEmail } from './find-user.ts'
import { createRandomPassword, hashPassword, toBulkRequester } from './passwords.ts'

const LIFETIME_MINUTES = 60

type Options = Pick<Services, 'database' | 'secrets' | 'now'>

const dequeueOldest = (db: Db, tenantId: string) =>
  db
    .deleteFrom('password_requests')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('password_requests')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['email', 'created_at'])
    .executeTakeFirst()

const mailPassword = async (
  db: Db,
  secrets: Secrets,
  tenantId: string,
  user: { id: number; email: string },
  now: Date,
) => {
  const password = createRandomPassword()
  const expiresAt = new Date(now.getTime() + LIFETIME_MINUTES * 60_000)
  const hash = await hashPassword(password, toBulkRequester(tenantId))
  const row = { password_hash: hash, expires_at: expiresAt, used_at: null }
  await db
    .insertInto('mailed_passwords')
    .values({ tenant_id: tenantId, user_id: user.id, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(row))
    .execute()
  await queueBrandedMail(db, tenantId, [user.email], ({ company }) => ({
    subject: `Your new password for ${company}`,
    heading: 'Your new password',
    paragraphs: [
      `Somebody, hopefully you, asked for a new password for ${company}.`,
      'It works once within the next hour. Please choose a password of your own in your profile after you signed in.',
      'If it was not you, you need not do anything: your password works as before.',
    ],
    code: password,
    sealWith: secrets,
    expiresAt,
  }))
}

const processOldest = ({ database, secrets }: Options, tenantId: string, now: Date): Promise<boolean> =>
  database.transaction({ tenantId }, async (db) => {
    const request = await dequeueOldest(db, tenantId)
    if (!request) return false
    const isTooOld = now.getTime() - request.created_at.getTime() > LIFETIME_MINUTES * 60_000
    const user = isTooOld ? undefined : await findUserByEmail(db, tenantId, request.email, now)
    if (!user || user.must_use_sso) return true
    await mailPassword(db, secrets, tenantId, user, now)
    await recordSecurityEvent(db, tenantId, now, { kind: 'password_mailed', account: user.email, userId: user.id })
    return true
  })

/** Mails a single-use password to each user who requested one and has an account. */
export const processPasswordRequests = async (options: Options, tenantId: string) => {
  while (await processOldest(options, tenantId, options.now()));
}
