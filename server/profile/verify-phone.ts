import { randomInt } from 'node:crypto'
import { conflict, invalid } from '#contract/errors.ts'
import { recordAudit } from '../audit/record.ts'
import { consume, perMinutes } from '../identity/rate-limits.ts'
import { queueSms } from '../messages/queue-sms.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { findSettings, writeSettings } from './settings-row.ts'
import { hasStopped } from './sms-consent.ts'

const LIFETIME_MINUTES = 10
const MAX_TRIES = 5
const DIGITS = 6

/** Codes cost money and may reach people who did not request them. */
const buildLimits = (userId: number, phoneNumber: string) => [
  perMinutes(`phone-code:${userId}`, 3, 60),
  perMinutes(`phone-code-number:${phoneNumber}`, 5, 24 * 60),
]
const describeWait = (wait: string) => `Too many codes were sent. Please try again in ${wait}.`

const buildPurpose = ({ tenantId, user }: Context, phoneNumber: string) =>
  `phone-code:${tenantId}:${user.userId}:${phoneNumber}`

const requireUnverifiedNumber = async (db: Db, ctx: Context) => {
  const { phone_number, phone_verified_at } = await findSettings(db, ctx.tenantId, ctx.user.userId)
  if (phone_number === null) throw conflict('Please enter a phone number first.')
  if (phone_verified_at !== null) throw conflict('This number is verified already.')
  return phone_number
}

/** Texts a code to the user's number. Older codes are invalidated. */
export const sendPhoneCode = async (ctx: Context) => {
  const { tenantId, user, services } = ctx
  const now = services.now()
  await ctx.transaction(async (db) => {
    const phoneNumber = await requireUnverifiedNumber(db, ctx)
    if (await hasStopped(db, tenantId, phoneNumber))
      throw conflict('This number has answered STOP. Please text START from it first.')
    await consume(db, tenantId, buildLimits(user.userId, phoneNumber), now, describeWait)
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
    const expiresAt = new Date(now.getTime() + LIFETIME_MINUTES * 60_000)
    const row = {
      phone_number: phoneNumber,
      code_hash: services.secrets.digest(code, buildPurpose(ctx, phoneNumber)),
      tries: 0,
      expires_at: expiresAt,
    }
    await db
      .insertInto('phone_codes')
      .values({ tenant_id: tenantId, user_id: user.userId, ...row })
      .onConflict((clash) => clash.columns(['tenant_id', 'user_id']).doUpdateSet(row))
      .execute()
    const company = (await getTenantConfiguration(db, tenantId)).config.company_name ?? 'Dishboard'
    await queueSms(db, tenantId, {
      to: phoneNumber,
      subject: 'A code to verify the number',
      text: `${company}: ${code} is your code to verify this number. It works for ${LIFETIME_MINUTES} minutes.`,
      sealWith: services.secrets,
      expiresAt,
    })
  })
  return { message: 'A code was sent to your number.' }
}

/** Counts an attempt before the code is compared: of any number of concurrent attempts, five are compared. */
const consumeTry = (db: Db, { tenantId, user, services }: Context) =>
  db
    .updateTable('phone_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', user.userId)
    .where('tries', '<', MAX_TRIES)
    .where('expires_at', '>', services.now())
    .returning(['phone_number', 'code_hash'])
    .executeTakeFirst()

/** Verifies the user's number by the code that was sent to it. */
export const verifyPhone = async (ctx: Context, { code }: { code: string }) => {
  const { matchesDigest } = ctx.services.secrets
  const sent = await ctx.transaction((db) => consumeTry(db, ctx))
  const refused = () => invalid('The code is not right, or it has expired.')
  if (!sent || !matchesDigest(sent.code_hash, code, buildPurpose(ctx, sent.phone_number))) throw refused()
  return ctx.transaction(async (db) => {
    // The number may have been changed since the code was sent.
    if ((await requireUnverifiedNumber(db, ctx)) !== sent.phone_number) throw refused()
    await db
      .deleteFrom('phone_codes')
      .where('tenant_id', '=', ctx.tenantId)
      .where('user_id', '=', ctx.user.userId)
      .execute()
    const now = ctx.services.now()
    await writeSettings(db, ctx, { phone_verified_at: now })
    await recordAudit(db, ctx.tenantId, now, {
      performer: ctx.user.email,
      action: 'profile.verify_phone',
      performee: ctx.user.email,
      details: { after: { phone_number: `…${sent.phone_number.slice(-4)}` } },
    })
    return { phoneVerified: true }
  })
}
