import { sql } from 'kysely'
import { conflict, invalid } from '#contract/errors.ts'
import type { ConfirmationWay } from '#contract/identity.ts'
import type { PasskeyProof } from '#contract/passkeys.ts'
import { findTotp } from '../factors/factors.ts'
import { findSite, storePasskeyChallenge, takePasskeyChallenge } from '../factors/passkey-challenges.ts'
import { buildProofOptions, findPasskey, listPasskeys, recordUse, verifyProof } from '../factors/passkeys.ts'
import { spendTotpCode } from '../factors/totp.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { getConfirmationLimit, writeConfirmation } from './confirm-password.ts'
import { mustUseSingleSignOn } from './find-user.ts'
import { recordFailedConfirmation } from './proofs.ts'
import { consume } from './rate-limits.ts'
import { requireSessionId } from './require-session.ts'

interface SignOn {
  is_only: boolean
  is_linked: boolean
  is_session: boolean
}

/** Whether the user must use single sign-on, can use it, and used it for this session. */
const readSignOn = async (db: Db, ctx: Context): Promise<SignOn> => {
  const { rows } = await sql<SignOn>`
    select ${mustUseSingleSignOn('users')} as is_only, sessions.is_single_sign_on as is_session,
      exists (select from sso_identities as linked
        join sso_connections as sso on sso.tenant_id = linked.tenant_id and sso.is_enabled
          and rtrim(sso.issuer, '/') = rtrim(linked.issuer, '/')
        where linked.tenant_id = users.tenant_id and linked.user_id = users.id) as is_linked
    from users
    join sessions on sessions.tenant_id = users.tenant_id and sessions.user_id = users.id
    where users.tenant_id = ${ctx.tenantId} and users.id = ${ctx.user.userId} and sessions.id = ${requireSessionId(ctx)}`.execute(
    db,
  )
  return rows[0] as SignOn
}

const buildHolder = (ctx: Context) => `confirmation:${requireSessionId(ctx)}` as const

const startPasskey = async (db: Db, ctx: Context) => {
  const { tenantId, user, services } = ctx
  const site = findSite(ctx.origin)
  const passkeys = (await listPasskeys(db, tenantId, user.userId)).filter(({ host }) => host === site.host)
  if (passkeys.length === 0) return null
  const options = await buildProofOptions(site, passkeys)
  await storePasskeyChallenge(db, tenantId, buildHolder(ctx), options.challenge, services.now())
  return { ...options }
}

/** An account created by single sign-on has a random password, so for its sessions the password comes last. */
const listWays = (
  { is_only, is_linked, is_session }: SignOn,
  hasPasskey: boolean,
  hasTotp: boolean,
): ConfirmationWay[] => {
  if (is_only) return ['single sign-on']
  const signOn: ConfirmationWay[] = is_linked ? ['single sign-on'] : []
  const password: ConfirmationWay[] = ['password']
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasTotp ? (['totp'] as const) : []),
    ...(is_session ? [...signOn, ...password] : [...password, ...signOn]),
  ]
}

export const startConfirmation = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const signOn = await readSignOn(db, ctx)
    const passkey = signOn.is_only ? null : await startPasskey(db, ctx)
    const totp = await findTotp(db, ctx.tenantId, ctx.user.userId)
    return { ways: listWays(signOn, passkey !== null, totp !== undefined), passkey }
  })

/** Counts an attempt. Users who must use single sign-on confirm with the provider, which may have closed the account. */
const countAttempt = async (db: Db, ctx: Context) => {
  const { tenantId, user, services } = ctx
  await consume(db, tenantId, [getConfirmationLimit(user.userId)], services.now())
  if ((await readSignOn(db, ctx)).is_only)
    throw conflict('Your organization uses single sign-on. Please confirm with it.')
}

export const confirmCode = async (ctx: Context, { code }: { code: string }) => {
  const { tenantId, user, services } = ctx
  const isRight = await ctx.transaction(async (db) => {
    await countAttempt(db, ctx)
    const owner = { tenantId, userId: user.userId }
    const isSpent = await spendTotpCode(db, services.secrets, owner, code, services.now())
    await (isSpent ? writeConfirmation(db, ctx) : recordFailedConfirmation(db, ctx))
    return isSpent
  }, 'self')
  if (!isRight) throw invalid('The code is not right, or was used before. Please enter the newest code.')
  return { message: 'You are confirmed.' }
}

/** The passkey of the proof and its counter; undefined unless the user’s own passkey signed this session's challenge. */
const checkProof = async (ctx: Context, proof: PasskeyProof) => {
  const { tenantId, user, services } = ctx
  const { challenge, passkey } = await ctx.transaction(async (db) => {
    await countAttempt(db, ctx)
    return {
      challenge: await takePasskeyChallenge(db, tenantId, buildHolder(ctx), services.now()),
      passkey: await findPasskey(db, tenantId, proof.id),
    }
  })
  if (!challenge || passkey?.user_id !== user.userId) return undefined
  try {
    return { passkey, counter: await verifyProof(findSite(ctx.origin), tenantId, challenge, passkey, proof) }
  } catch (error) {
    ctx.log.info({ err: error }, 'A passkey was refused.')
    return undefined
  }
}

export const confirmPasskey = async (ctx: Context, { proof }: { proof: PasskeyProof }) => {
  const { tenantId, user, services } = ctx
  const checked = await checkProof(ctx, proof)
  const isConfirmed = await ctx.transaction(async (db) => {
    const now = services.now()
    if (checked && (await recordUse(db, tenantId, checked.passkey.id, checked.counter, now))) {
      await writeConfirmation(db, ctx)
      return true
    }
    if (checked)
      await recordSecurityEvent(db, tenantId, now, {
        kind: 'passkey_copied',
        account: user.email,
        userId: user.userId,
        origin: ctx,
        details: { passkey: checked.passkey.name },
      })
    else await recordFailedConfirmation(db, ctx)
    return false
  }, 'self')
  // Not 401, because the session stays valid.
  if (!isConfirmed) throw invalid('The passkey was not accepted.')
  return { message: 'You are confirmed.' }
}
