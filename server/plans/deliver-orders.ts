import { sql } from 'kysely'
import type { StarlinkClient } from '#starlink/client.ts'
import { StarlinkError } from '#starlink/errors.ts'
import { recordAudit } from '../audit/record.ts'
import type { Database, Db } from '../db.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import { POOL_KEEPER } from './change-over.ts'

type Client = Pick<StarlinkClient, 'getServiceLine' | 'optIn' | 'optOut'>

interface Options {
  database: Database
  tenantId: string
  clientOf: (credentialId: number) => Promise<Client>
  now: () => Date
  /** No further order is begun once it is aborted. */
  stop: AbortSignal
}

interface Order {
  id: number
  service_line_id: number
  service_line_number: string
  nickname: string
  credential_id: number
  pool_name: string
  wish: 'opt out' | 'opt in'
  /** Before it was taken up. */
  state: 'asked' | 'sending' | 'accepted'
  accepted_at: Date | null
  attempts: number
}

const LEASE_MS = 2 * 60_000
const LOOK_AGAIN_MS = 30_000
const CONFIRM_WITHIN_MS = 10 * 60_000
const FIRST_RETRY_MS = 15_000
const LONGEST_RETRY_MS = 10 * 60_000
const MOST_ATTEMPTS = 200

const later = (now: Date, ms: number) => new Date(now.getTime() + ms)

/**
 * Takes up one order that is due, so that no other worker does: until the lease ends it is nobody else's. A worker that
 * dies leaves it in that state, and whoever takes it up next asks the vendor first whether it was carried out.
 */
const takeUp = async (db: Db, tenantId: string, now: Date): Promise<Order | undefined> => {
  const { rows } = await sql<Order>`
    with due as (
      select pending.id, pending.state from pool_orders as pending
      where pending.tenant_id = ${tenantId} and pending.due_at <= ${now}
        and pending.state in ('asked', 'sending', 'accepted')
        and not exists (
          select from pool_orders as first
          where first.tenant_id = pending.tenant_id and first.service_line_id = pending.service_line_id
            and first.id < pending.id and first.state in ('asked', 'sending'))
      order by pending.due_at, pending.id
      limit 1
      for update skip locked
    )
    update pool_orders as taken set due_at = ${later(now, LEASE_MS)}, attempts = taken.attempts + 1,
      state = case when due.state = 'asked' then 'sending' else due.state end
    from due, service_lines as line, pool_crossings as crossing, pools as pool
    where taken.tenant_id = ${tenantId} and taken.id = due.id
      and line.tenant_id = taken.tenant_id and line.id = taken.service_line_id
      and crossing.tenant_id = taken.tenant_id and crossing.id = taken.crossing_id
      and pool.tenant_id = crossing.tenant_id and pool.id = crossing.pool_id
    returning taken.id, taken.service_line_id, line.service_line_number, line.nickname, line.credential_id,
      pool.name as pool_name, taken.wish, due.state, taken.accepted_at, taken.attempts`.execute(db)
  return rows[0]
}

type Outcome =
  | { state: 'seen'; optInProductId: string | null }
  | { state: 'accepted' | 'sending' | 'asked'; dueAt: Date; problem?: string }
  | { state: 'refused' | 'not confirmed'; problem: string }

const attempt = async (client: Client, order: Order, now: () => Date): Promise<Outcome> => {
  const { service_line_number, wish, state, accepted_at, attempts } = order
  const { optInProductId } = await client.getServiceLine(service_line_number)
  if ((optInProductId !== null) === (wish === 'opt in')) return { state: 'seen', optInProductId }
  if (state !== 'accepted') {
    await (wish === 'opt in' ? client.optIn(service_line_number) : client.optOut(service_line_number))
    return { state: 'accepted', dueAt: later(now(), 1_000) }
  }
  if (accepted_at && now().getTime() - accepted_at.getTime() < CONFIRM_WITHIN_MS && attempts < MOST_ATTEMPTS)
    return { state: 'accepted', dueAt: later(now(), LOOK_AGAIN_MS) }
  return { state: 'not confirmed', problem: 'The vendor accepted this but the line has not changed.' }
}

const failed = ({ state, attempts }: Order, error: unknown, now: Date): Outcome => {
  if (!(error instanceof StarlinkError)) throw error
  if (error.failure === 'rejected' || attempts >= MOST_ATTEMPTS)
    return { state: 'refused', problem: error.messages.join(' ') || error.message }
  const dueAt = later(now, Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10)))
  // Where the vendor may have carried it out, 'sending' stays. In every state it is asked first when tried again.
  const back = state === 'accepted' ? 'accepted' : error.fate === 'refused' ? 'asked' : 'sending'
  return { state: back, dueAt, problem: error.message }
}

const record = async (db: Db, tenantId: string, order: Order, outcome: Outcome, now: Date) => {
  const problem = 'problem' in outcome ? (outcome.problem ?? null) : null
  await db
    .updateTable('pool_orders')
    .set({
      state: outcome.state,
      problem,
      ...('dueAt' in outcome && { due_at: outcome.dueAt }),
      ...(outcome.state === 'accepted' && order.accepted_at === null && { accepted_at: now }),
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', order.id)
    .execute()
  if (outcome.state === 'seen') {
    await db
      .updateTable('service_lines')
      .set({ opt_in_product_id: outcome.optInProductId })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', order.service_line_id)
      .execute()
    await notifyLinesChanged(db, tenantId, [order.service_line_id])
  }
  const isNews = outcome.state !== order.state && outcome.state !== 'asked' && outcome.state !== 'sending'
  if (isNews)
    await recordAudit(db, tenantId, now, {
      performer: POOL_KEEPER,
      action: `service_line.${order.wish.replace(' ', '_')}`,
      performee: order.nickname,
      details: { line: order.service_line_number, pool: order.pool_name, state: outcome.state, problem },
    })
}

/** Sends what is due to the vendor and looks after what it accepted. Answers when the next one is due. */
export const deliverOrders = async ({
  database,
  tenantId,
  clientOf,
  now,
  stop,
}: Options): Promise<Date | undefined> => {
  while (!stop.aborted) {
    const order = await database.transaction({ tenantId }, (db) => takeUp(db, tenantId, now()))
    if (!order) break
    const outcome = await clientOf(order.credential_id)
      .then((client) => attempt(client, order, now))
      .catch((error: unknown) => failed(order, error, now()))
    await database.transaction({ tenantId }, (db) => record(db, tenantId, order, outcome, now()))
  }
  const next = await database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('pool_orders')
      .select(({ fn }) => fn.min('due_at').as('at'))
      .where('tenant_id', '=', tenantId)
      .where('state', 'in', ['asked', 'sending', 'accepted'])
      .executeTakeFirst(),
  )
  return next?.at ?? undefined
}
