import { notFound } from '#contract/errors.ts'
import type { personalData } from '#contract/personal-data.ts'
import type { Context } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { eraseUser } from './erase-user.ts'
import { exportPersonalData } from './export.ts'

const exportUser = (ctx: Context, userId: number) =>
  ctx.transaction(async (db) => {
    const data = await exportPersonalData(db, ctx, userId)
    if (!data) throw notFound('There is no such user.')
    await recordSecurityEvent(db, ctx.tenantId, ctx.services.now(), {
      kind: 'export',
      account: data.user,
      userId,
      actor: ctx.user.email,
      origin: ctx,
      details: { what: 'personal data' },
    })
    return data
  })

export const personalDataHandlers: Handlers<typeof personalData> = {
  ownData: (ctx) => exportUser(ctx, ctx.user.userId),
  eraseUser,
  userData: (ctx, { user_id }) => exportUser(ctx, Number(user_id)),
}
