import type { ListOrder } from '#contract/list-order.ts'
import type { Context } from '../platform/context.ts'

export const verifyToken = async (ctx: Context) => {
  const { userId, customerName, email, role, mustChangePassword, mustAddFactor } = ctx.user
  const { list_order } = await ctx.transaction((db) =>
    db
      .selectFrom('users')
      .select('list_order')
      .where('tenant_id', '=', ctx.tenantId)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow(),
  )
  return {
    customerName,
    email,
    role,
    mustAddFactor,
    newUser: mustChangePassword,
    listOrder: list_order as ListOrder,
  }
}
