import { type Delivery, type deliveries, deliveryStates } from '#contract/deliveries.ts'
import { getSmsBudget } from '../messages/sms-budget.ts'
import type { Context } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'

const NEWEST = 500

const listDeliveries = (ctx: Context, { state }: { state?: Delivery['state'] | undefined }) =>
  ctx.transaction(async (db) => {
    const counted = await db
      .selectFrom('messages')
      .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
      .where('tenant_id', '=', ctx.tenantId)
      .groupBy('state')
      .execute()
    const rows = await db
      .selectFrom('messages')
      .selectAll()
      .where('tenant_id', '=', ctx.tenantId)
      .$if(state !== undefined, (query) => query.where('state', '=', state as string))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(NEWEST)
      .execute()
    const getCount = (each: string) => counted.find((row) => row.state === each)?.count ?? 0
    return {
      smsBudget: await getSmsBudget(db, ctx.tenantId, ctx.services.now()),
      counts: Object.fromEntries(deliveryStates.map((each) => [each, getCount(each)])) as Record<
        Delivery['state'],
        number
      >,
      messages: rows.map((row) => ({
        id: row.id,
        channel: row.channel as Delivery['channel'],
        recipient: row.recipient,
        subject: row.channel === 'sms' ? row.text || row.subject : row.subject,
        state: row.state as Delivery['state'],
        attempts: row.attempts,
        problem: row.last_error,
        createdAt: row.created_at,
        finishedAt: row.finished_at,
        nextAttemptAt: row.finished_at === null ? row.due_at : null,
      })),
    }
  })

export const deliveryHandlers: Handlers<typeof deliveries> = { list: listDeliveries }
