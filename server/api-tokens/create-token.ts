import { type CreatedToken, type CreateServiceToken, type CreateToken, MAX_TOKEN_DAYS } from '#contract/api-tokens.ts'
import { conflict } from '#contract/errors.ts'
import { WALL_SCOPE } from '#contract/scopes.ts'
import { recordAudit } from '../audit/record.ts'
import { createApiToken } from '../identity/api-token-secret.ts'
import { requireConfirmation } from '../identity/confirm-password.ts'
import { mailSecurityNotice } from '../identity/security-mail.ts'
import { listAdministratorEmails } from '../messages/administrators.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { type RequestOrigin, recordSecurityEvent } from '../security-events/record.ts'
import { listTokens } from './queries.ts'
import { findService, prepareService } from './service-accounts.ts'

const DAY_MS = 86_400_000
const MAX_TOKENS = 50

interface By {
  performer: string
  now: Date
  /** Absent when a CLI command does it. */
  origin?: RequestOrigin
}

type NewToken = Omit<CreateToken, 'scopes'> & { scopes: string[]; isSingleSignOn?: boolean }

/** Call in a transaction that has locked the user. */
const insertToken = async (
  db: Db,
  tenantId: string,
  { performer, now, origin }: By,
  { id: userId, email }: { id: number; email: string },
  { name, scopes, networks, expiresInDays, isSingleSignOn = false }: NewToken,
): Promise<CreatedToken> => {
  const { count } = await db
    .selectFrom('api_tokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= MAX_TOKENS) throw conflict(`There are ${MAX_TOKENS} tokens already. Please revoke one first.`)
  const { token, hash, hint } = createApiToken(tenantId)
  const { id } = await db
    .insertInto('api_tokens')
    .values({
      tenant_id: tenantId,
      user_id: userId,
      name,
      secret_hash: hash,
      hint,
      scopes: [...new Set(scopes)],
      networks: [...new Set(networks)],
      is_single_sign_on: isSingleSignOn,
      created_at: now,
      created_by: performer,
      expires_at: new Date(now.getTime() + expiresInDays * DAY_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('api_token_uses').values({ tenant_id: tenantId, token_id: id, user_id: userId }).execute()
  await recordAudit(db, tenantId, now, {
    performer,
    action: 'token.create',
    performee: email,
    details: { after: { token: name, hint, scopes, networks, expiresInDays } },
  })
  await recordSecurityEvent(db, tenantId, now, {
    kind: 'token_created',
    account: email,
    userId,
    actor: performer,
    origin,
    details: { token: name, scopes: scopes.join(' ') },
  })
  const [created] = await listTokens(db, tenantId, { tokenId: id })
  return { token, created: created as CreatedToken['created'] }
}

/** The provider that signed the user in is responsible for the token too. */
const isSsoSession = async (db: Db, { tenantId, user }: Context) => {
  const session = await db
    .selectFrom('sessions')
    .select('is_single_sign_on')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', user.sessionId ?? null)
    .executeTakeFirst()
  return session?.is_single_sign_on ?? false
}

/** A token that acts for its creator, who is notified by mail. */
const createForSender = (ctx: Context, input: Omit<NewToken, 'isSingleSignOn'>) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    await requireConfirmation(db, ctx)
    const by = { performer: user.email, now: services.now(), origin: ctx }
    const isSingleSignOn = await isSsoSession(db, ctx)
    const owner = { id: user.userId, email: user.email }
    const created = await insertToken(db, tenantId, by, owner, { ...input, isSingleSignOn })
    await mailSecurityNotice(db, tenantId, [user.email], {
      subject: `The API token “${input.name}” was created for your account`,
      account: user.email,
      actor: user.email,
      origin: ctx,
      now: by.now,
    })
    return created
  }, 'self')

export const createOwnToken = (ctx: Context, input: CreateToken) => createForSender(ctx, input)

export const createWallToken = (ctx: Context, { name }: { name: string }) =>
  createForSender(ctx, { name, scopes: [WALL_SCOPE], networks: [], expiresInDays: MAX_TOKEN_DAYS })

/** A service token. Call in a transaction that has locked the service's account, if it exists. */
export const addServiceToken = async (
  db: Db,
  tenantId: string,
  by: By,
  { role, group, ...token }: CreateServiceToken,
) => {
  const account = await prepareService(db, tenantId, by.now, { name: token.name, role, group })
  return insertToken(db, tenantId, by, account, token)
}

/** The administrators are notified: a token outlives the session of its creator. */
export const createServiceToken = async (ctx: Context, input: CreateServiceToken) => {
  const { tenantId, user, services } = ctx
  const service = await ctx.transaction((db) => findService(db, tenantId, input.name))
  return ctx.transaction(async (db) => {
    await requireConfirmation(db, ctx)
    const by = { performer: user.email, now: services.now(), origin: ctx }
    const created = await addServiceToken(db, tenantId, by, input)
    await mailSecurityNotice(db, tenantId, await listAdministratorEmails(db, tenantId), {
      subject: `The API token “${input.name}” of a service was created`,
      actor: user.email,
      origin: ctx,
      now: by.now,
    })
    return created
  }, service?.id)
}
