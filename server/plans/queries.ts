import { sql } from 'kysely'
import { notFound } from '#contract/errors.ts'
import { sortNaturally } from '#contract/format/natural-order.ts'
import { formatShortDate } from '#contract/format/times.ts'
import type { Pool, PoolBlock, PoolLine } from '#contract/plans.ts'
import type { Db } from '../platform/database/database.ts'
import { listDailySeries } from './daily-series.ts'
import { forecast, nothingKnown } from './forecast.ts'
import { getLimitGb, type PoolRow } from './pool-row.ts'
import { findUsageMoment } from './usage-moment.ts'

interface ListedPool extends PoolRow {
  over_limit_since: Date | null
}

type OfPool<T> = T & { pool_id: number }

const recurring = (totalAmountGB: number): PoolBlock => ({ dataBlockType: 'RecurringPerBillingCycle', totalAmountGB })

const listRows = async (db: Db, tenantId: string, poolId: number | undefined): Promise<ListedPool[]> => {
  const chosen = poolId === undefined ? sql`` : sql`and pool.id = ${poolId}`
  const { rows } = await sql<ListedPool>`
    select pool.*, crossing.crossed_at as over_limit_since
    from pools as pool
    left join pool_crossings as crossing on crossing.tenant_id = pool.tenant_id
      and crossing.pool_id = pool.id and crossing.ended_at is null
    where pool.tenant_id = ${tenantId} ${chosen}
    order by pool.id`.execute(db)
  return rows
}

const kitNumber = sql`(
  select terminal.kit_serial from terminals as terminal
  where terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id and terminal.removed_at is null
  order by terminal.id limit 1)`

const listLines = async (db: Db, tenantId: string, poolIds: number[]) => {
  const { rows } = await sql<OfPool<PoolLine>>`
    select member.pool_id, line.service_line_number as service_line, line.nickname, ${kitNumber} as kit_number
    from pool_lines as member
    join service_lines as line on line.tenant_id = member.tenant_id and line.id = member.service_line_id
    where member.tenant_id = ${tenantId} and member.pool_id = any(${poolIds}::bigint[])
    order by line.id`.execute(db)
  return Map.groupBy(
    sortNaturally(rows, ({ nickname }) => nickname ?? ''),
    (row) => row.pool_id,
  )
}

const listTopUps = async (db: Db, tenantId: string, poolIds: number[]) => {
  const { rows } = await sql<OfPool<{ amount_gb: number; bought_at: Date }>>`
    select bought.pool_id, bought.amount_gb, bought.bought_at
    from pool_top_ups as bought
    join pools as pool on pool.tenant_id = bought.tenant_id and pool.id = bought.pool_id
      and pool.cycle_start = bought.cycle_start
    where bought.tenant_id = ${tenantId} and bought.pool_id = any(${poolIds}::bigint[])
    order by bought.id`.execute(db)
  return Map.groupBy(rows, (row) => row.pool_id)
}

/** The pools that the transaction's scope sees, or the given one, each with its forecast. */
export const listPools = async (db: Db, tenantId: string, poolId?: number): Promise<Pool[]> => {
  const pools = await listRows(db, tenantId, poolId)
  const ids = pools.map(({ id }) => id)
  const lines = await listLines(db, tenantId, ids)
  const topUps = await listTopUps(db, tenantId, ids)
  const moment = await findUsageMoment(db, tenantId)
  const where = sql`member.pool_id = any(${ids}::bigint[])`
  const series = moment && (await listDailySeries(db, { tenantId, today: moment.today, by: 'pool_id', where }))
  return pools.map((pool) => ({
    virtual_plan_id: String(pool.id),
    plan_name: pool.name,
    over_limit_behavior: pool.over_limit_behavior,
    usage_limit: [
      recurring(pool.usage_limit_gb),
      ...(topUps.get(pool.id) ?? []).map(({ amount_gb, bought_at }) => ({
        dataBlockType: 'top_up',
        totalAmountGB: amount_gb,
        date: formatShortDate(bought_at, 'UTC'),
      })),
    ],
    usage_limit_next_month: [recurring(pool.next_usage_limit_gb)],
    assigned_service_lines: (lines.get(pool.id) ?? []).map(({ service_line, nickname, kit_number }) => ({
      service_line,
      nickname,
      kit_number,
    })),
    version: pool.version,
    current_usage: pool.used_gb,
    total_limit: getLimitGb(pool),
    measured_at: pool.measured_at,
    cycle_start: pool.cycle_start,
    cycle_end: pool.cycle_end,
    over_limit_since: pool.over_limit_since,
    forecast:
      moment === undefined
        ? nothingKnown
        : forecast({
            ...moment,
            days: series?.get(pool.id) ?? [],
            usedGb: pool.used_gb,
            limitGb: getLimitGb(pool),
            cycleEnd: pool.cycle_end,
          }),
  }))
}

export const getPool = async (db: Db, tenantId: string, poolId: number): Promise<Pool> => {
  const [pool] = await listPools(db, tenantId, poolId)
  if (!pool) throw notFound('There is no such pool.')
  return pool
}

/** Lines that the transaction's scope sees and that are not in a pool. */
export const listAvailableLines = async (db: Db, tenantId: string): Promise<PoolLine[]> => {
  const { rows } = await sql<PoolLine>`
    select line.service_line_number as service_line, line.nickname, ${kitNumber} as kit_number
    from service_lines as line
    where line.tenant_id = ${tenantId} and line.removed_at is null
      and not exists (
        select from pool_lines as member
        where member.tenant_id = line.tenant_id and member.service_line_id = line.id)
    order by line.id`.execute(db)
  return sortNaturally(rows, ({ nickname }) => nickname ?? '')
}
