import { type Delivery, type DeliveryDetail, type deliveries, deliveryStates } from '#contract/deliveries.ts'
import { getSmsBudget } from '../messages/sms-budget.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { findHindrance, getMessage, type MessageRow, resendMessage } from './resend-message.ts'

const NEWEST = 500
const MAX_RESENDS = 20

const toDelivery = (row: MessageRow): Delivery => ({
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
  resendOf: row.resend_of,
})

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
    const { smtpUrl, sms } = ctx.services.config
    const getCount = (each: string) => counted.find((row) => row.state === each)?.count ?? 0
    return {
      smsBudget: await getSmsBudget(db, ctx.tenantId, ctx.services.now()),
      counts: Object.fromEntries(deliveryStates.map((each) => [each, getCount(each)])) as Record<
        Delivery['state'],
        number
      >,
      waitingChannels: [
        ...(smtpUrl === undefined ? (['email'] as const) : []),
        ...(sms === undefined ? (['sms'] as const) : []),
      ],
      messages: rows.map(toDelivery),
    }
  })

const listResends = async (db: Db, tenantId: string, messageId: string): Promise<DeliveryDetail['resends']> => {
  const rows = await db
    .selectFrom('messages')
    .select(['id', 'state', 'created_at'])
    .where('tenant_id', '=', tenantId)
    .where('resend_of', '=', messageId)
    .orderBy('created_at', 'desc')
    .limit(MAX_RESENDS)
    .execute()
  return rows.map((row) => ({ id: row.id, state: row.state as Delivery['state'], createdAt: row.created_at }))
}

const getDelivery = (ctx: Context, { messageId }: { messageId: string }) =>
  ctx.transaction(async (db) => {
    const row = await getMessage(db, ctx.tenantId, messageId)
    return {
      delivery: {
        ...toDelivery(row),
        body: row.text || null,
        expiresAt: row.expires_at,
        hindrance: findHindrance(row, ctx.services.now()) ?? null,
        resends: await listResends(db, ctx.tenantId, messageId),
      },
    }
  })

export const deliveryHandlers: Handlers<typeof deliveries> = {
  list: listDeliveries,
  get: getDelivery,
  resend: resendMessage,
}
