import { invalid, reauthenticate } from '#contract/errors.ts'
import { isFromClockAhead } from '../platform/clock-ahead.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { findMatchingHash } from './passwords.ts'
import { listProofs, recordFailedConfirmation } from './proofs.ts'
import { consume, perMinutes, refund } from './rate-limits.ts'
import { requireSessionId } from './require-session.ts'

const VALID_MINUTES = 15

/** Refuses a sensitive change unless this session was confirmed in the last few minutes. The page then prompts and retries. */
export const requireConfirmation = async (db: Db, ctx: Context) => {
  const { tenantId, services } = ctx
  const after = new Date(services.now().getTime() - VALID_MINUTES * 60_000)
  const confirmed = await db
    .selectFrom('sessions')
    .select('confirmed_at as at')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', requireSessionId(ctx))
    .where('confirmed_at', '>', after)
    .executeTakeFirst()
  if (!confirmed || isFromClockAhead(confirmed.at, services.now())) throw reauthenticate()
}

/** The same, but skipped for an API token: its scope allows the change, which its creator confirmed. */
export const requireConfirmationOfUser = async (db: Db, ctx: Context) => {
  if (!ctx.user.token) await requireConfirmation(db, ctx)
}

export const getConfirmationLimit = (userId: number) => perMinutes(`confirm:${userId}`, 10, 15)

/** Requires a transaction that has locked the user. */
export const writeConfirmation = async (db: Db, ctx: Context) => {
  const { tenantId, user, services } = ctx
  await refund(db, tenantId, [], [getConfirmationLimit(user.userId)])
  await db
    .updateTable('sessions')
    .set({ confirmed_at: services.now() })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', requireSessionId(ctx))
    .execute()
}

/** Confirms the password for this session. A wrong one is not a 401, because the session stays valid. */
export const confirmPassword = async (ctx: Context, { password }: { password: string }) => {
  const { tenantId, user, services } = ctx
  const proofs = await ctx.transaction(async (db) => {
    await consume(db, tenantId, [getConfirmationLimit(user.userId)], services.now())
    return listProofs(db, ctx)
  })
  const requester = { tenantId, network: toCustomerNetwork(ctx.address), lane: 'known' } as const
  if ((await findMatchingHash(proofs, password, requester)) === -1) {
    await ctx.transaction((db) => recordFailedConfirmation(db, ctx))
    throw invalid('The password is not right.')
  }
  await ctx.transaction((db) => writeConfirmation(db, ctx), 'self')
  return { message: 'Your password is confirmed.' }
}
