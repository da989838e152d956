import { notFound } from '#contract/errors.ts'
import { requireSessionId } from '../identity/require-session.ts'
import { endSessions } from '../identity/sessions.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'

const MAX_SHOWN = 100

export const listOwnSessions = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'created_at', 'address', 'user_agent'])
      .where('tenant_id', '=', ctx.tenantId)
      .where('user_id', '=', ctx.user.userId)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', ctx.services.now())
      .orderBy('created_at', 'desc')
      .limit(MAX_SHOWN)
      .execute()
    return {
      sessions: rows.map(({ id, created_at, address, user_agent }) => ({
        id,
        startedAt: created_at,
        address,
        userAgent: user_agent,
        isThis: id === ctx.user.sessionId,
      })),
    }
  })

const recordEnded = (db: Db, ctx: Context, sessions: number) =>
  recordSecurityEvent(db, ctx.tenantId, ctx.services.now(), {
    kind: 'session_ended',
    account: ctx.user.email,
    userId: ctx.user.userId,
    origin: ctx,
    details: { sessions },
  })

export const endOwnSession = (ctx: Context, { sessionId }: { sessionId: string }) =>
  ctx.transaction(async (db) => {
    const ended = await db
      .updateTable('sessions')
      .set({ ended_at: ctx.services.now() })
      .where('tenant_id', '=', ctx.tenantId)
      .where('user_id', '=', ctx.user.userId)
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!ended) throw notFound('There is no such session.')
    await recordEnded(db, ctx, 1)
    return { message: 'The session is signed out.' }
  }, 'self')

export const endOtherSessions = (ctx: Context) =>
  ctx.transaction(async (db) => {
    const [ended] = await endSessions(db, ctx.tenantId, ctx.user.userId, ctx.services.now(), requireSessionId(ctx))
    const sessions = Number(ended?.numUpdatedRows ?? 0)
    if (sessions > 0) await recordEnded(db, ctx, sessions)
    return { message: 'Your other sessions are signed out.' }
  }, 'self')
