import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Reseller } from './stack.ts'

export interface SampleAccounting {
  rows: number
  lost: number
  doubled: number
}

/** Number of rows that the vendor had between two times, by device. */
const listSent = ({ simulator, failure }: Reseller, fromMs: number, untilMs: number) => {
  const dropOuts = failure.scenario === 'terminals-drop-out'
  return new Map(
    simulator.simulation.credentials.flatMap(({ stream }) => [
      ...stream.countTerminalRows(untilMs, { fromMs, dropOuts }),
    ]),
  )
}

const listStored = async (database: Database, tenantId: string, fromMs: number, untilMs: number) => {
  const { rows } = await database.transaction({ tenantId }, (db) =>
    sql<{ device: string; count: number }>`
      select terminal.device_id as device, count(*)::int as count
      from samples as sample
      join terminals as terminal on terminal.tenant_id = sample.tenant_id and terminal.id = sample.terminal_id
      where sample.tenant_id = ${tenantId}
        and sample.at > ${new Date(fromMs)} and sample.at < ${new Date(untilMs + 1)}
      group by terminal.device_id`.execute(db),
  )
  return new Map(rows.map(({ device, count }) => [device, count]))
}

/** Prepares a comparison of the vendor's rows with ours: counting the vendor's takes a while, ours does not. */
export const createAccounting = (database: Database, reseller: Reseller, fromMs: number, untilMs: number) => {
  const truth = listSent(reseller, fromMs, untilMs)
  return async (): Promise<SampleAccounting> => {
    const stored = await listStored(database, reseller.tenantId, fromMs, untilMs)
    const found: SampleAccounting = { rows: 0, lost: 0, doubled: 0 }
    for (const device of new Set([...truth.keys(), ...stored.keys()])) {
      const [should, does] = [truth.get(device) ?? 0, stored.get(device) ?? 0]
      found.rows += should
      found.lost += Math.max(0, should - does)
      found.doubled += Math.max(0, does - should)
    }
    return found
  }
}

/** Chart buckets whose count differs from that of their samples, or that are still dirty. */
export const countWrongBuckets = async (database: Database, { tenantId }: Reseller) => {
  const { rows } = await database.transaction({ tenantId }, (db) =>
    sql<{ wrong: number }>`
      with mark as (select complete_until from rollup_watermarks where tenant_id = ${tenantId} and tier = 'tier_2min'),
      counted as (
        select sample.terminal_id, date_bin('2 minutes', sample.at, '2000-01-01') as at, count(*)::int as n
        from samples as sample, mark
        where sample.tenant_id = ${tenantId} and sample.at < mark.complete_until group by 1, 2)
      select count(*)::int as wrong from counted
      full join (
        select terminal_id, at, n from tier_2min, mark where tenant_id = ${tenantId} and at < mark.complete_until
      ) as bucket using (terminal_id, at)
      where counted.n is distinct from bucket.n`.execute(db),
  )
  return rows[0]?.wrong ?? Number.NaN
}

/** The status intervals of each terminal, one line each; or only the present status. */
export const listStatuses = async (database: Database, { tenantId }: Reseller, of: 'history' | 'present') => {
  const when = of === 'history' ? sql`concat_ws(' ', started_at, coalesce(ended_at::text, 'still'))` : sql`''`
  const { rows } = await database.transaction({ tenantId }, (db) =>
    sql<{ line: string }>`
      select concat_ws(' ', terminal.device_id, status, disabled, ${when}) as line
      from status_intervals as known
      join terminals as terminal on terminal.tenant_id = known.tenant_id and terminal.id = known.terminal_id
      where known.tenant_id = ${tenantId} and (${of} = 'history' or ended_at is null)`.execute(db),
  )
  return new Set(rows.map(({ line }) => line))
}
