import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { PoolRow } from './pool-row.ts'

/**
 * Orders an opt-out for each opted-in line of a capped pool, once per line and crossing. If a user opts the line in after
 * that, it stays opted in.
 */
export const orderOptOuts = async (db: Db, pool: PoolRow, now: Date) => {
  await sql`
    insert into pool_orders (tenant_id, crossing_id, service_line_id, desired, requested_at, due_at)
    select crossing.tenant_id, crossing.id, line.id, 'opt out', ${now}, ${now}
    from pool_crossings as crossing
    join pool_lines as member on member.tenant_id = crossing.tenant_id and member.pool_id = crossing.pool_id
    join service_lines as line on line.tenant_id = member.tenant_id and line.id = member.service_line_id
    where crossing.tenant_id = ${pool.tenant_id} and crossing.pool_id = ${pool.id}
      and crossing.ended_at is null and crossing.behavior = 'Hard Cap'
      and line.opt_in_product_id is not null and line.removed_at is null
    order by line.id
    on conflict do nothing`.execute(db)
}

/**
 * Undoes the cap when the limit is no longer reached or a line has left the pool. A line that it opted out is opted in
 * again, and an order that was not sent yet is withdrawn.
 */
export const restoreOptIn = async (db: Db, pool: PoolRow, now: Date) => {
  const released = sql`
    select placed.tenant_id, placed.id, placed.crossing_id, placed.service_line_id
    from pool_orders as placed
    join pool_crossings as crossing on crossing.tenant_id = placed.tenant_id and crossing.id = placed.crossing_id
    left join pool_lines as member on member.tenant_id = placed.tenant_id
      and member.service_line_id = placed.service_line_id and member.pool_id = crossing.pool_id
    where crossing.tenant_id = ${pool.tenant_id} and crossing.pool_id = ${pool.id} and placed.desired = 'opt out'
      and (crossing.ended_at is not null or member.service_line_id is null)`
  await sql`
    update pool_orders as placed set state = 'withdrawn'
    from (${released}) as released
    where placed.tenant_id = released.tenant_id and placed.id = released.id and placed.state = 'asked'`.execute(db)
  await sql`
    insert into pool_orders (tenant_id, crossing_id, service_line_id, desired, requested_at, due_at)
    select released.tenant_id, released.crossing_id, released.service_line_id, 'opt in', ${now}, ${now}
    from (${released} and placed.state in ('sending', 'accepted', 'seen')) as released
    order by released.service_line_id
    on conflict do nothing`.execute(db)
}
