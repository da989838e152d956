import { notFound } from '#contract/errors.ts'
import { type RevokedBy, recordRevocation } from '../identity/personal-tokens.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'

export const noSuchToken = () => notFound('There is no such token.')

/** The token's user, who must be locked before it is revoked. */
export const findTokenUser = async (db: Db, tenantId: string, tokenId: string) => {
  const token = await db
    .selectFrom('api_tokens')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!token) throw noSuchToken()
  return token.user_id
}

/** Call in a transaction that has locked the user. */
export const revokeToken = async (
  db: Db,
  tenantId: string,
  by: RevokedBy,
  { tokenId, userId }: { tokenId: string; userId: number },
) => {
  const revoked = await db
    .updateTable('api_tokens as token')
    .from('users as user')
    .set({ revoked_at: by.now })
    .where('token.tenant_id', '=', tenantId)
    .where('token.id', '=', tokenId)
    .where('token.user_id', '=', userId)
    .where('token.revoked_at', 'is', null)
    .whereRef('user.tenant_id', '=', 'token.tenant_id')
    .whereRef('user.id', '=', 'token.user_id')
    .returning(['token.name', 'token.hint', 'user.email'])
    .executeTakeFirst()
  if (!revoked) throw noSuchToken()
  await recordRevocation(db, tenantId, by, { userId, email: revoked.email }, revoked)
  return { message: `The token “${revoked.name}” is revoked.` }
}

const listBy = (ctx: Context): RevokedBy => ({ performer: ctx.user.email, now: ctx.services.now(), origin: ctx })

export const revokeOwnToken = (ctx: Context, { tokenId }: { tokenId: string }) =>
  ctx.transaction((db) => revokeToken(db, ctx.tenantId, listBy(ctx), { tokenId, userId: ctx.user.userId }), 'self')

export const revokeAnyToken = async (ctx: Context, { tokenId }: { tokenId: string }) => {
  const userId = await ctx.transaction((db) => findTokenUser(db, ctx.tenantId, tokenId))
  return ctx.transaction((db) => revokeToken(db, ctx.tenantId, listBy(ctx), { tokenId, userId }), userId)
}
