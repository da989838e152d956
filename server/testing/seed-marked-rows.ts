import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { buildFigures, encodeFigures } from '../reports/testing/figures.ts'
import { marks, type Owner } from './marks.ts'
import { NO_FACTS } from './seed-incident.ts'

export const seedLine = async (
  superuser: pg.Client,
  { tenant, group, owner, credential }: { tenant: string; group: string; owner: Owner; credential: number },
) => {
  const { word, digits } = marks[owner]
  const number = Number(digits)
  const insert = async (statement: string, ...values: unknown[]) =>
    Object.values((await superuser.query(statement, [tenant, ...values])).rows[0] ?? {})[0] as number
  await insert("insert into vendor_products values ($1, $2, $3, $3, $4, 'USD')", credential, word, number)
  const meta = `${marks.metadata.word} ${word}`
  const line = await insert(
    `insert into service_lines (tenant_id, credential_id, service_line_number, nickname, custom_name, metadata1,
       metadata2, metadata3, group_name, account_group, active, public_ip, opt_in_product_id, product_id, product_name,
       street, city, state, latitude, longitude)
     values ($1, $2, 'SL-' || $3, $3, $3 || ' custom', $4, $4, $4, $5, 'US Local Pool', true, true, $3, $3, $3,
       $3, $3, $3, $6, $6) returning id`,
    credential,
    word,
    meta,
    group,
    number / 1000,
  )
  const terminal = await insert(
    `insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial, dish_serial)
     values ($1, $2, $3, 'device-' || $4, 'KIT-' || $4, $4) returning id`,
    credential,
    line,
    word,
  )
  const router = await insert(
    "insert into routers (tenant_id, terminal_id, router_id, hardware_version) values ($1, $2, 'Router-' || $3, $3) returning id",
    terminal,
    word,
  )
  await insert(
    'insert into line_usage values ($1, $2, current_date - 9, current_date + 9, $3, $3, $3, $3, $3)',
    line,
    number,
  )
  await insert('insert into daily_usage values ($1, $2, current_date - 1, $3, $3, $3, $3)', line, number)
  await insert(
    `insert into latest (tenant_id, terminal_id, at, last_response_at, downlink_mbps, uplink_mbps, latency_ms, alerts,
       software_version) values ($1, $2, now(), now(), $3, $3, $3, array['alert_' || $4], $4)`,
    terminal,
    number,
    word,
  )
  await insert(
    'insert into samples (tenant_id, terminal_id, at, downlink_mbps) values ($1, $2, now(), $3)',
    terminal,
    number,
  )
  await insert(
    "insert into latest_addresses values ($1, $2, now(), array['10.0.0.' || $3], array[$4], array[$4])",
    terminal,
    '1',
    word,
  )
  await insert(
    'insert into latest_routers (tenant_id, router_id, at, clients, software_version) values ($1, $2, now(), $3, $4)',
    router,
    number,
    word,
  )
  await insert(
    "insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status) values ($1, $2, now(), now(), 'online')",
    terminal,
  )
  const incident = randomUUID()
  await insert(
    `insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, terminal_count, place, note,
       evidence)
     values ($1, $2, 'power', 'terminal', 0.6, now(), now(), 1, $3, $3, $4)`,
    incident,
    word,
    JSON.stringify({ observed: number, alerts: [word], signalQuality: number }),
  )
  await insert(
    "insert into terminal_losses values ($1, $2, date_trunc('milliseconds', now()), null, false, $4, $3)",
    terminal,
    incident,
    NO_FACTS,
  )
  const window = (kind: string, columns: string) =>
    insert(
      `insert into maintenance_windows (tenant_id, id, name, repeats, first_day, start_minute, length_minutes, time_zone,
         entered_at, service_line_id, group_name, latitude, longitude, radius_km)
       select $1, gen_random_uuid(), $2, 'once', current_date, 0, 1440, 'UTC', now() - interval '1 day', ${columns}
       from (select $3::bigint as line, $4::text as group_name, $5::float8 as place) as given`,
      `${word} ${kind}`,
      line,
      group,
      number / 1000,
    )
  await window('line', 'line, null, null, null, null')
  await window('group', 'null, group_name, null, null, null')
  await window('area', 'null, null, place, place, 5')
  await insert('insert into availability_targets values ($1, $2, $3) on conflict do nothing', group, number / 1000)
  await insert(
    `insert into reports (tenant_id, id, schedule_id, name, group_name, period, first_day, last_day, made_at, figures)
     values ($1, gen_random_uuid(), gen_random_uuid(), $2, $3, 'week', '2026-11-02', '2026-11-08', now(), $4)`,
    word,
    group,
    encodeFigures(buildFigures(group, word, number)),
  )
  const pool = await insert(
    `insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day,
       cycle_start, cycle_end, created_at)
     values ($1, $2 || ' pool', $3, 'Hard Cap', $4, $4, 1, current_date - 9, current_date + 9, now()) returning id`,
    word,
    group,
    number,
  )
  await insert('insert into pool_lines values ($1, $2, $3)', line, pool)
  const happened = (kind: string, type: string, subject: string, id: unknown, details: object) =>
    insert(
      `insert into events (tenant_id, kind, type, at, ${subject}, details) values ($1, $2, $3, now(), $4, $5)`,
      kind,
      type,
      id,
      JSON.stringify(details),
    )
  await happened('status', 'terminal.status_changed', 'service_line_id', line, { status: 'online' })
  await happened('alert', 'terminal.alert_raised', 'service_line_id', line, { alert: `alert_${word}` })
  await happened('incident', 'incident.opened', 'incident_id', incident, {})
  await happened('pool', 'pool.changed', 'pool_id', pool, {})
  return {
    id: line,
    line: word,
    serviceLine: `SL-${word}`,
    device: `device-${word}`,
    kit: `KIT-${word}`,
    pool,
    incident,
  }
}

/** A pool with a second line of each customer of the tenant. */
export const seedSharedPool = async (superuser: pg.Client) => {
  const { word, digits } = marks.shared
  const { rows } = await superuser.query(
    `insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day,
       cycle_start, cycle_end, used_gb, created_at)
     values ('a', $1, null, 'Hard Cap', $2::integer, $2, 1, current_date - 9, current_date + 9, $2::integer, now())
     returning id`,
    [word, Number(digits)],
  )
  await superuser.query(
    `with added as (
       insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group,
         active, public_ip)
       select 'a', credential_id, service_line_number || '-2', nickname || ' second', group_name, account_group, true, true
       from service_lines where tenant_id = 'a' returning id
     )
     insert into pool_lines select 'a', id, $1 from added`,
    [rows[0].id],
  )
}

/**
 * An incident of terminals of several customers, whose note and numbers only administrators may see. It ended too long
 * ago to be evaluated again.
 */
export const seedSharedIncident = async (superuser: pg.Client) => {
  const { word, digits } = marks.shared
  await superuser.query(
    `with incident as (
       insert into incidents (tenant_id, id, cause, reach, confidence, started_at, opened_at, ended_at, terminal_count, place,
         latitude, longitude, radius_km, note, evidence)
       values ('a', gen_random_uuid(), 'network', 'area', 0.9, now(), now(), now() - interval '4 hours', 2, $1, $2::integer, $2::integer, $2::integer, $1, $3) returning id
     )
     insert into terminal_losses
     select 'a', terminals.id, date_trunc('milliseconds', now()) - interval '1 day', now() - interval '4 hours', false, $4, incident.id from terminals, incident
     where terminals.tenant_id = 'a'`,
    [
      word,
      Number(digits),
      JSON.stringify({ observed: Number(digits), alerts: [word], signalQuality: Number(digits) }),
      NO_FACTS,
    ],
  )
}

/** A report on the terminals of all customers. */
export const seedSharedReport = async (superuser: pg.Client) => {
  const { word, digits } = marks.shared
  await superuser.query(
    `insert into reports (tenant_id, id, schedule_id, name, group_name, period, first_day, last_day, made_at, figures)
     values ('a', gen_random_uuid(), gen_random_uuid(), $1, null, 'week', '2026-11-02', '2026-11-08', now(), $2)`,
    [word, encodeFigures(buildFigures(null, word, Number(digits)))],
  )
}
