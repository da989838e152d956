import { sql } from 'kysely'
import { sweepSilent } from '../../telemetry/sweep.ts'
import { telemetryBody } from '../../telemetry/testing/telemetry-body.ts'
import type { TwoFeeds } from '../../telemetry/testing/two-feeds.ts'

const DEVICES = ['one', 'two', 'three']
const CELLS = ['600654498502803455', '600655598014431231', '600656697526059007']
const ALERTS = [[], [], [55], [61], [55, 61]]
const STEP_MS = 15_000

export const pick = <T>(random: () => number, values: readonly T[]) => values[Math.floor(random() * values.length)] as T

/** What can happen to the fleet of the tenant alpha, on its vendor's clock. */
export const createFleetChanges = (feeds: TwoFeeds) => {
  let atMs = Date.now() - 6 * 3_600_000

  /** Advances the vendor's clock, and returns the times at which terminals report. */
  const advance = (count: number) => {
    const times = Array.from({ length: count }, (_, index) => atMs + (index + 1) * STEP_MS)
    atMs += count * STEP_MS
    feeds.nowMs.value = atMs
    return times
  }

  /** Makes every terminal report `count` times. Returns the time of the last report. */
  const reportAll = async (count: number) => {
    const rows = advance(count).flatMap((each) => DEVICES.map((device) => ({ device, atMs: each })))
    await feeds.receive(feeds.alpha, telemetryBody(rows))
    return atMs
  }

  /** Each change, by the statement or the code that makes it. */
  const listChanges = (random: () => number) => {
    const line = () => sql`(select id from service_lines where nickname like ${`%${pick(random, DEVICES)}`} limit 1)`
    const name = () => `name ${Math.floor(random() * 1_000)}`
    const run = (statement: ReturnType<typeof sql>) =>
      feeds.database.transaction({ tenantId: 'alpha' }, (db) => statement.execute(db))
    const report = async () => {
      // Sometimes long enough for a missing terminal to go silent.
      const count = random() < 0.5 ? 16 : 3
      const reporting = DEVICES.filter(() => random() < 0.7)
      const rows = advance(count).flatMap((each) =>
        reporting.map((device) => ({
          device,
          atMs: each,
          downlinkMbps: Math.floor(random() * 90),
          latencyMs: Math.floor(random() * 90),
          pingDrop: random() < 0.2 ? 1 : 0,
          h3Cell: pick(random, CELLS),
          alerts: pick(random, ALERTS),
        })),
      )
      const addresses = reporting
        .slice(0, 1)
        .map((device) => ({ device, atMs, ipv4: [`100.64.0.${Math.floor(random() * 250)}`] }))
      await feeds.receive(feeds.alpha, telemetryBody(rows, { addresses }))
      await sweepSilent(feeds.alpha)
    }

    return [
      report,
      report,
      report,
      () => run(sql`update service_lines set custom_name = ${name()} where id = ${line()}`),
      () => run(sql`update service_lines set metadata1 = ${name()} where id = ${line()}`),
      () =>
        run(sql`update service_lines set product_name = ${name()}, opt_in_product_id = ${name()} where id = ${line()}`),
      () =>
        run(sql`update service_lines set is_mobile = ${random() < 0.5}, latitude = ${random() * 90}, longitude = ${random() * 90},
          street = ${name()}, city = ${name()}, state = 'AK' where id = ${line()}`),
      () => run(sql`update service_lines set removed_at = ${random() < 0.5 ? new Date() : null} where id = ${line()}`),
      () => run(sql`update terminals set kit_serial = ${name()} where service_line_id = ${line()}`),
      () =>
        run(sql`update terminals set removed_at = ${random() < 0.5 ? new Date() : null}, service_line_id = ${line()}
          where device_id = ${pick(random, DEVICES)}`),
      () =>
        run(sql`insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb,
            anchor_day, cycle_start, cycle_end, created_at)
          values ('alpha', ${name()}, ${random() < 0.5 ? 'north' : null}, 'Soft Cap', 500, 500, 1, '2026-11-01', '2026-12-01', now())`),
      () => run(sql`update pools set used_gb = used_gb + 1, name = ${name()} where id = (select max(id) from pools)`),
      () =>
        run(sql`insert into pool_lines (tenant_id, service_line_id, pool_id)
          select 'alpha', ${line()}, max(id) from pools having max(id) is not null
          on conflict (tenant_id, service_line_id) do update set pool_id = excluded.pool_id`),
      () => run(sql`delete from pool_lines where service_line_id = ${line()}`),
      () =>
        run(sql`insert into line_usage as known (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
            opt_in_priority_gb, non_billable_gb, usage_limit_gb, data_blocks)
          select 'alpha', ${line()}, each, each + 30, ${random() * 50}, ${random() * 50}, 0, 0, 50, '[]'
          from unnest(array['2026-10-01', ${random() < 0.5 ? '2026-11-01' : '2026-10-01'}]::date[]) as each group by each
          on conflict (tenant_id, service_line_id, cycle_start) do update set
            priority_gb = excluded.priority_gb, standard_gb = excluded.standard_gb`),
    ]
  }

  return { listChanges, reportAll }
}
