import { conflict } from '#contract/errors.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { mustUseSingleSignOn } from './find-user.ts'

const PROOF_HOURS = 24

/** Lists the hashes that prove the user's identity: of their password, or of the mailed one that they signed in with. */
export const listProofs = async (db: Db, ctx: Context) => {
  const usedAfter = new Date(ctx.services.now().getTime() - PROOF_HOURS * 3_600_000)
  const row = await db
    .selectFrom('users as u')
    .leftJoin('mailed_passwords as m', (join) =>
      join.onRef('m.tenant_id', '=', 'u.tenant_id').onRef('m.user_id', '=', 'u.id').on('m.used_at', '>', usedAfter),
    )
    .select(['u.password_hash', 'm.password_hash as mailed_password_hash'])
    .select(mustUseSingleSignOn('u').as('must_use_sso'))
    .where('u.tenant_id', '=', ctx.tenantId)
    .where('u.id', '=', ctx.user.userId)
    .executeTakeFirstOrThrow()
  if (row.must_use_sso) throw conflict('Your organization uses single sign-on. You need no password here.')
  return [row.password_hash, row.mailed_password_hash ?? undefined]
}

export const recordFailedConfirmation = (db: Db, ctx: Context) => {
  const { tenantId, user, services } = ctx
  const about = { account: user.email, userId: user.userId, origin: ctx }
  return recordSecurityEvent(db, tenantId, services.now(), { kind: 'confirmation_failed', ...about })
}
