import { invalid, reauthenticate } from '#contract/errors.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { listProofs } from './change-password.ts'
import { findMatchingHash } from './passwords.ts'
import { consume, perMinutes, refund } from './rate-limits.ts'
import { requireSessionId } from './require-session.ts'

const VALID_MINUTES = 15

/** Refuses a sensitive change unless this session gave its password in the last minutes. The page asks and repeats it. */
export const requireConfirmation = async (db: Db, ctx: Context) => {
  const { tenantId, services } = ctx
  const after = new Date(services.now().getTime() - VALID_MINUTES * 60_000)
  const confirmed = await db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', requireSessionId(ctx))
    .where('confirmed_at', '>', after)
    .executeTakeFirst()
  if (!confirmed) throw reauthenticate()
}

const confirmationLimit = (userId: number) => perMinutes(`confirm:${userId}`, 10, 15)

/** Confirms the password for this session. Not 401 when it is wrong, because the session stays valid. */
export const confirmPassword = async (ctx: Context, { password }: { password: string }) => {
  const { tenantId, user, services } = ctx
  const now = services.now()
  const limit = confirmationLimit(user.userId)
  const proofs = await ctx.transaction(async (db) => {
    await consume(db, tenantId, [limit], now)
    return listProofs(db, ctx)
  })
  const requester = { tenantId, network: toCustomerNetwork(ctx.address), lane: 'known' } as const
  if ((await findMatchingHash(proofs, password, requester)) === -1) {
    const about = { account: user.email, userId: user.userId, origin: ctx }
    await ctx.transaction((db) => recordSecurityEvent(db, tenantId, now, { kind: 'confirmation_failed', ...about }))
    throw invalid('The password is not right.')
  }
  await ctx.transaction(async (db) => {
    await refund(db, tenantId, [], [limit])
    await db
      .updateTable('sessions')
      .set({ confirmed_at: now })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', requireSessionId(ctx))
      .execute()
  }, 'self')
  return { message: 'Your password is confirmed.' }
}
