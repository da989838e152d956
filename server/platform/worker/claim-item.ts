import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../database/database.ts'
import type { DB } from '../database/schema.ts'

/*
 * A job only says that a tenant has, for example, mail to send. Each item (a mail, an order) is a row with its own lease
 * and fencing token, because an external call is slow and must not be made twice:
 *
 *   const order = await database.transaction(scope, (db) => claimItem(db, 'pool_orders', { tenantId, now, leaseMs, … }))
 *   const outcome = await callTheVendor(order)                            // outside of any transaction
 *   await database.transaction(scope, async (db) => {
 *     const { numUpdatedRows } = await db.updateTable('pool_orders').set(outcome).where(isClaimedBy(tenantId, order)).executeTakeFirst()
 *     if (numUpdatedRows === 0n) return                                   // another worker has claimed it: write nothing
 *     …
 *   })
 *
 * The number of attempts is the fencing token. Writing `due_at` in the outcome sets the time of the next attempt.
 */

/** Tables with `tenant_id`, `id`, `state`, `due_at` and `attempts`. */
type ItemTable = 'messages' | 'pool_orders' | 'webhook_deliveries'

interface Options {
  tenantId: string
  now: Date
  /** Longer than any attempt takes. After it, another worker may claim the item. */
  leaseMs: number
  /** Longer than any item has to wait. */
  longestWaitMs: number
  /** Selects the pending items; the table's alias is `item`. */
  where: RawBuilder<unknown>
  /** What the claim itself updates; the row's alias is `item`. */
  set: RawBuilder<unknown>
}

/**
 * When an item is due. A time beyond the longest wait was written while the clock was ahead, and has passed: the item would
 * otherwise wait until the clock gets there again.
 */
export const readDueTime = (dueAt: RawBuilder<Date>, now: Date, longestWaitMs: number) =>
  sql<Date>`case when ${dueAt} > ${new Date(now.getTime() + longestWaitMs)}::timestamptz then ${now}::timestamptz else ${dueAt} end`

/** Claims the item that has been due longest. `previousState` is its state before the claim. */
export const claimItem = async <T extends ItemTable>(
  db: Db,
  table: T,
  { tenantId, now, leaseMs, longestWaitMs, where, set }: Options,
): Promise<(Selectable<DB[T]> & { previousState: string }) | undefined> => {
  const { rows } = await sql<Selectable<DB[T]> & { previousState: string }>`
    with due as (
      select item.id, item.state from ${sql.table(table)} as item
      where item.tenant_id = ${tenantId}
        and (item.due_at <= ${now} or item.due_at > ${new Date(now.getTime() + longestWaitMs)}) and ${where}
      order by item.due_at, item.id
      limit 1
      for update skip locked)
    update ${sql.table(table)} as item
    set due_at = ${new Date(now.getTime() + leaseMs)}, attempts = item.attempts + 1, ${set}
    from due
    where item.tenant_id = ${tenantId} and item.id = due.id
    returning item.*, due.state as "previousState"`.execute(db)
  return rows[0]
}

/** The condition under which the outcome of an attempt may be written. */
export const isClaimedBy = (tenantId: string, claim: { id: number | string; attempts: number }) =>
  sql<boolean>`tenant_id = ${tenantId} and id = ${claim.id} and attempts = ${claim.attempts}`
