import { sql } from 'kysely'
import { sortNaturally } from '#contract/format/natural-order.ts'
import type { Crossing } from '#contract/plans.ts'
import type { Db } from '../platform/database/database.ts'

interface Row {
  id: number
  at: Date
  behavior: Crossing['behavior']
  limit_gb: number
  used_gb: number
  ended_at: Date | null
  bucket_gb: number | null
}

type OrderRow = Crossing['orders'][number] & { crossing_id: number }

const PAGE_SIZE = 20

/** The newest crossings of a pool and the actions taken, newest first. Only lines that the scope sees are listed. */
export const listCrossings = async (db: Db, tenantId: string, poolId: number): Promise<Crossing[]> => {
  const { rows } = await sql<Row>`
    select crossing.id, crossing.crossed_at as at, crossing.behavior, crossing.limit_gb, crossing.used_gb,
      crossing.ended_at, bought.amount_gb as bucket_gb
    from pool_crossings as crossing
    left join pool_top_ups as bought on bought.tenant_id = crossing.tenant_id and bought.crossing_id = crossing.id
    where crossing.tenant_id = ${tenantId} and crossing.pool_id = ${poolId}
    order by crossing.id desc
    limit ${PAGE_SIZE}`.execute(db)
  const orders = await sql<OrderRow>`
    select placed.crossing_id, line.service_line_number as service_line, line.nickname, placed.desired, placed.state,
      placed.problem
    from pool_orders as placed
    join service_lines as line on line.tenant_id = placed.tenant_id and line.id = placed.service_line_id
    where placed.tenant_id = ${tenantId} and placed.crossing_id = any(${rows.map(({ id }) => id)}::bigint[])
    order by placed.id`.execute(db)
  const ordersByCrossing = Map.groupBy(
    sortNaturally(orders.rows, ({ nickname }) => nickname),
    (order) => order.crossing_id,
  )
  return rows.map((row) => ({
    at: row.at,
    behavior: row.behavior,
    limit_GB: row.limit_gb,
    used_GB: row.used_gb,
    ended_at: row.ended_at,
    bucket_GB: row.bucket_gb,
    orders: (ordersByCrossing.get(row.id) ?? []).map(({ crossing_id: _, ...order }) => order),
  }))
}
