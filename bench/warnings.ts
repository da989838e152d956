import { latLngToCell } from 'h3-js'
import { sql } from 'kysely'
import { type Database, type Db, openDatabase } from '#server/platform/database/database.ts'
import { ensureTierPartitions, formatUtcDay } from '#server/telemetry/partitions.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { judgeDay } from '#server/warnings/queue.ts'
import { withDatabase } from './database.ts'
import type { Figure } from './figures.ts'

const TENANT = 'tenant'
const TERMINALS = 100_000
const DAY_MS = 86_400_000
/** The limit for the daily evaluation of a tenant's terminals. */
const MAX_SECONDS = 600
const NOME = latLngToCell(64.5, -165.4, 5)

/** Terminals with a year of figures up to the day before yesterday, and the buckets and usage of the days after it. */
const fill = async (db: Db, terminals: number, endOfDay: Date) => {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`
    with credential as (
      insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
      values (${TENANT}, '-', '-', 'id', '\\x00') returning id),
    lines as (
      insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group, active,
        public_ip, is_mobile, country, latitude, longitude)
      select ${TENANT}, credential.id, 'SL-' || n, 'Terminal ' || n, 'group ' || n % 100, 'Dishboard', true, false,
        n % 10 = 0, 'US', 64.5, -165.4
      from credential, generate_series(1, ${terminals}::integer) as n returning id, credential_id)
    insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial)
    select ${TENANT}, credential_id, id, 'device ' || id, 'KIT' || id from lines`.execute(db)
  await sql`
    insert into latest (tenant_id, terminal_id, at, h3_cell, country_code, restarts)
    select tenant_id, id, ${endOfDay}, ${NOME}, 'US', 3 from terminals`.execute(db)
  await sql`
    insert into terminal_figures (tenant_id, terminal_id, day, obstruction, signal_quality, restarts, weekly_obstruction,
      weekly_signal_quality, restart_count)
    select tenant_id, id, (${endOfDay}::timestamptz at time zone 'UTC')::date - 2,
      array(select 0.004 + (id + n) % 7 * 0.0001 from generate_series(1, 35) as n),
      array(select 0.97 - (id + n) % 5 * 0.001 from generate_series(1, 35) as n),
      array_fill(0, array[35]),
      array(select 0.004 + (id + n) % 7 * 0.0001 from generate_series(1, 58) as n),
      array(select 0.97 - (id + n) % 5 * 0.001 from generate_series(1, 58) as n), 3
    from terminals`.execute(db)
  await sql`
    insert into tier_2h (tenant_id, terminal_id, at, n, obstruction_sum, signal_quality_sum)
    select tenant_id, id, ${endOfDay}::timestamptz - bucket * interval '2 hours', 480, 480 * (0.004 + bucket * 0.0001), 480 * 0.97
    from terminals, generate_series(1, 12) as bucket`.execute(db)
  await sql`
    insert into daily_usage
    select tenant_id, id, (${endOfDay}::timestamptz at time zone 'UTC')::date - n, 3 + (id + n) % 7, 1, 0, 0
    from service_lines, generate_series(1, 28) as n`.execute(db)
}

const judgeAll = async (database: Database, now: Date) => {
  while (await judgeDay(database, TENANT, now));
}

/** How long the daily check for early warnings takes for a fleet. */
export const measureWarnings = (sizes: readonly number[]): Promise<Figure[]> =>
  withDatabase(async (connections) => {
    const owner = openDatabase(connections.owner, () => {})
    const database = openDatabase(connections.runtime, () => {})
    const terminals = sizes[0] ?? TERMINALS
    const now = new Date()
    const endOfDay = new Date(Math.floor((now.getTime() - 5 * 3_600_000) / DAY_MS) * DAY_MS)
    await owner.transaction({ tenantId: TENANT }, (db) =>
      createTenant(db, { performer: 'bench', now }, { id: TENANT, hosts: ['tenant.example'], config: {} }),
    )
    await ensureTierPartitions(
      database,
      'tier_2h',
      [1, 2].map((ago) => formatUtcDay(endOfDay.getTime() - ago * DAY_MS)),
    )
    await database.transaction({ tenantId: TENANT }, (db) => fill(db, terminals, endOfDay))
    await sql`analyze`.execute(owner.outsideTenants)
    const startedAt = performance.now()
    const started = process.cpuUsage()
    await judgeAll(database, now)
    const seconds = (performance.now() - startedAt) / 1000
    const { user, system } = process.cpuUsage(started)
    const figures: Figure[] = [
      {
        name: `early warnings of ${terminals} terminals, once a day`,
        value: seconds,
        unit: 's',
        atMost: (MAX_SECONDS * terminals) / TERMINALS,
      },
      { name: 'processor time of the process for one of them', value: (user + system) / 1000 / terminals, unit: 'ms' },
    ]
    await Promise.all([owner.close(), database.close()])
    return figures
  })
