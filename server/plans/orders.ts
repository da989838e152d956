import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import type { PoolRow } from './pool-row.ts'

/**
 * Asks for each line of a capped pool that is opted in to be opted out; a line that was asked for in this crossing is
 * not asked again, so a person who opts it in after that has the last word.
 */
export const orderOptOuts = async (db: Db, pool: PoolRow, now: Date) => {
  await sql`
    insert into pool_orders (tenant_id, crossing_id, service_line_id, wish, asked_at, due_at)
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
 * When the limit is not reached any more, or a line left the pool, what the cap took is given back: a line that it opted
 * out is opted in again, and an order that was not sent yet is withdrawn.
 */
export const restoreOptIn = async (db: Db, pool: PoolRow, now: Date) => {
  const released = sql`
    select took.tenant_id, took.id, took.crossing_id, took.service_line_id
    from pool_orders as took
    join pool_crossings as crossing on crossing.tenant_id = took.tenant_id and crossing.id = took.crossing_id
    left join pool_lines as member on member.tenant_id = took.tenant_id
      and member.service_line_id = took.service_line_id and member.pool_id = crossing.pool_id
    where crossing.tenant_id = ${pool.tenant_id} and crossing.pool_id = ${pool.id} and took.wish = 'opt out'
      and (crossing.ended_at is not null or member.service_line_id is null)`
  await sql`
    update pool_orders as took set state = 'withdrawn'
    from (${released}) as freed
    where took.tenant_id = freed.tenant_id and took.id = freed.id and took.state = 'asked'`.execute(db)
  await sql`
    insert into pool_orders (tenant_id, crossing_id, service_line_id, wish, asked_at, due_at)
    select freed.tenant_id, freed.crossing_id, freed.service_line_id, 'opt in', ${now}, ${now}
    from (${released} and took.state in ('sending', 'accepted', 'seen')) as freed
    order by freed.service_line_id
    on conflict do nothing`.execute(db)
}
