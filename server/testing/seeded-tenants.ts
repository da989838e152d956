import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import type { AuditAction } from '#contract/audit-sentences.ts'
import { featureItems } from '#contract/features.ts'
import { recordAudit } from '../audit/record.ts'
import { sha256 } from '../platform/secrets.ts'
import { buildFigures, encodeFigures } from '../reports/testing/figures.ts'
import { connectVendor } from '../vendor/credentials.ts'
import type { TestDatabase } from './database.ts'
import { NO_FACTS } from './seed-incident.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Whose values they are. Every text of an owner holds the word, every number the digits. */
export const marks = {
  north: { word: 'MARKNORTH', digits: '77131' },
  south: { word: 'MARKSOUTH', digits: '77232' },
  foreign: { word: 'MARKFOREIGN', digits: '77333' },
  /** The pool of lines of several customers; only for administrators. */
  shared: { word: 'MARKSHARED', digits: '77535' },
  /** Metadata of every line; only for those who may see it. */
  metadata: { word: 'MARKMETADATA', digits: '77434' },
} as const

export type Mark = keyof typeof marks

/** The marks that a text shows. */
export const findMarks = (text: string) =>
  (Object.keys(marks) as Mark[]).filter((name) => {
    const { word, digits } = marks[name]
    return text.toUpperCase().includes(word) || text.replaceAll('.', '').includes(digits)
  })

type Owner = Exclude<Mark, 'metadata' | 'shared'>

const connectTo = ({ database, services }: TestServer, tenantId: string, owner: Owner) =>
  database.transaction({ tenantId }, (db) =>
    connectVendor(db, services.secrets, {
      ...{ tenantId, clientId: `${marks[owner].word} client`, clientSecret: marks[owner].word },
      // Nothing listens there.
      ...{ baseUrl: 'http://127.0.0.1:9/', tokenUrl: 'http://127.0.0.1:9/' },
    }),
  )

const seedLine = async (
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
    ...[credential, word, meta, group, number / 1000],
  )
  const terminal = await insert(
    `insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial, dish_serial)
     values ($1, $2, $3, 'device-' || $4, 'KIT-' || $4, $4) returning id`,
    ...[credential, line, word],
  )
  const router = await insert(
    "insert into routers (tenant_id, terminal_id, router_id, hardware_version) values ($1, $2, 'Router-' || $3, $3) returning id",
    ...[terminal, word],
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
    ...[terminal, number, word],
  )
  await insert(
    'insert into samples (tenant_id, terminal_id, at, downlink_mbps) values ($1, $2, now(), $3)',
    terminal,
    number,
  )
  await insert(
    "insert into latest_addresses values ($1, $2, now(), array['10.0.0.' || $3], array[$4], array[$4])",
    ...[terminal, '1', word],
  )
  await insert(
    'insert into latest_routers (tenant_id, router_id, at, clients, software_version) values ($1, $2, now(), $3, $4)',
    ...[router, number, word],
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
    ...[incident, word, JSON.stringify({ observed: number, alerts: [word], signalQuality: number })],
  )
  await insert(
    "insert into terminal_losses values ($1, $2, date_trunc('milliseconds', now()), null, false, $4, $3)",
    ...[terminal, incident, NO_FACTS],
  )
  const window = (kind: string, columns: string) =>
    insert(
      `insert into maintenance_windows (tenant_id, id, name, repeats, first_day, start_minute, length_minutes, time_zone,
         entered_at, service_line_id, group_name, latitude, longitude, radius_km)
       select $1, gen_random_uuid(), $2, 'once', current_date, 0, 1440, 'UTC', now() - interval '1 day', ${columns}
       from (select $3::bigint as line, $4::text as group_name, $5::float8 as place) as given`,
      ...[`${word} ${kind}`, line, group, number / 1000],
    )
  await window('line', 'line, null, null, null, null')
  await window('group', 'null, group_name, null, null, null')
  await window('area', 'null, null, place, place, 5')
  await insert('insert into availability_targets values ($1, $2, $3) on conflict do nothing', group, number / 1000)
  await insert(
    `insert into reports (tenant_id, id, schedule_id, name, group_name, period, first_day, last_day, made_at, figures)
     values ($1, gen_random_uuid(), gen_random_uuid(), $2, $3, 'week', '2026-11-02', '2026-11-08', now(), $4)`,
    ...[word, group, encodeFigures(buildFigures(group, word, number))],
  )
  const pool = await insert(
    `insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day,
       cycle_start, cycle_end, created_at)
     values ($1, $2 || ' pool', $3, 'Hard Cap', $4, $4, 1, current_date - 9, current_date + 9, now()) returning id`,
    ...[word, group, number],
  )
  await insert('insert into pool_lines values ($1, $2, $3)', line, pool)
  const happened = (kind: string, type: string, subject: string, id: unknown, details: object) =>
    insert(
      `insert into events (tenant_id, kind, type, at, ${subject}, details) values ($1, $2, $3, now(), $4, $5)`,
      ...[kind, type, id, JSON.stringify(details)],
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
const seedSharedPool = async (superuser: pg.Client) => {
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
 * An incident of terminals of several customers, whose note and numbers only administrators may see. It ended so long ago
 * that it is not judged again.
 */
const seedSharedIncident = async (superuser: pg.Client) => {
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
      ...[word, Number(digits)],
      JSON.stringify({ observed: Number(digits), alerts: [word], signalQuality: Number(digits) }),
      NO_FACTS,
    ],
  )
}

/** A report about terminals of all customers. */
const seedSharedReport = async (superuser: pg.Client) => {
  const { word, digits } = marks.shared
  await superuser.query(
    `insert into reports (tenant_id, id, schedule_id, name, group_name, period, first_day, last_day, made_at, figures)
     values ('a', gen_random_uuid(), gen_random_uuid(), $1, null, 'week', '2026-11-02', '2026-11-08', now(), $2)`,
    [word, encodeFigures(buildFigures(null, word, Number(digits)))],
  )
}

/** Two tenants, two groups in the first, and users of every kind. Everything that a user owns is marked. */
export const startSeededTenants = async (given?: TestDatabase) => {
  const server = await startTestServer({}, given)
  const superuser = new pg.Client(server.superuser)
  await superuser.connect()
  await superuser.query("select ensure_sample_partition((now() at time zone 'UTC')::date)")
  const config = { ticket: 'email', chatbotEnabled: true }
  const configs = [
    ['a', { ...config, company_name: 'Company', support_email: 'help@a.example' }],
    ['b', { ...config, company_name: marks.foreign.word, support_email: `help@${marks.foreign.word}.example` }],
  ]
  for (const settings of configs)
    await superuser.query('update tenant_settings set public_config = $2 where tenant_id = $1', settings)
  const seed = async (tenant: string, group: string, owner: Owner) =>
    seedLine(superuser, { tenant, group, owner, credential: await connectTo(server, tenant, owner) })
  const lines = {
    north: await seed('a', 'north', 'north'),
    south: await seed('a', 'south', 'south'),
    foreign: await seed('b', 'north', 'foreign'),
  }
  await seedSharedPool(superuser)
  await seedSharedIncident(superuser)
  await seedSharedReport(superuser)

  /** A user who has signed in; `hold` gives them every item or none. */
  const add = async (tenant: string, name: string, group: string, mark: Mark, hold?: 'all' | 'none') => {
    const email = `${name}@${marks[mark].word}.example`
    const role = name.includes('admin') ? 'admin' : 'user'
    const customerName = `${marks[mark].word} ${name}`
    const id = await server.addUser(tenant, { email, role, username: group, customerName, company: customerName })
    for (const [item, { kind }] of hold ? Object.entries(featureItems) : []) {
      const value = kind === 'enum' ? { all: 'read_write', none: 'cannot_see' } : { all: 'true', none: 'false' }
      await superuser.query('insert into feature_grants values ($1, $2, $3, $4, $5)', [
        ...[tenant, id, item, value[hold as 'all' | 'none'], 'test'],
      ])
    }
    return { id, email, signIn: async () => (await server.signIn(tenant, email)).access }
  }
  const users = {
    admin: await add('a', 'admin', 'staff', 'north'),
    with: await add('a', 'with', 'north', 'north', 'all'),
    without: await add('a', 'without', 'north', 'north', 'none'),
    otherGroup: await add('a', 'south', 'south', 'south', 'all'),
    mustChange: await add('a', 'new-admin', 'staff', 'north'),
    deleted: await add('a', 'deleted', 'north', 'north', 'all'),
    foreignUser: await add('b', 'user', 'north', 'foreign', 'all'),
    foreignAdmin: await add('b', 'admin', 'staff', 'foreign'),
  }
  await superuser.query("update users set must_change_password = true where tenant_id = 'a' and id = $1", [
    users.mustChange.id,
  ])
  await server.database.transaction({ tenantId: 'b' }, (db) =>
    recordAudit(db, 'b', new Date(), {
      ...{ performer: marks.foreign.word, action: marks.foreign.word as AuditAction, performee: marks.foreign.word },
      details: { before: { [marks.foreign.word]: Number(marks.foreign.digits) } },
    }),
  )

  /** Maintenance of the group north that runs now. */
  const addWindow = async () => {
    const { rows } = await superuser.query<{ id: string }>(
      `insert into maintenance_windows (tenant_id, id, name, group_name, repeats, days, first_day, start_minute,
         length_minutes, time_zone, entered_at)
       values ('a', gen_random_uuid(), $1, 'north', 'weekly', '{1,2,3,4,5,6,7}', '2020-01-01', 0, 1440, 'UTC', now())
       returning id`,
      [marks.north.word],
    )
    return rows[0]?.id as string
  }

  /** A report about the group north. */
  const findReport = async () => {
    const { rows } = await superuser.query<{ id: string }>(
      "select id from reports where tenant_id = 'a' and group_name = 'north' limit 1",
    )
    return rows[0]?.id as string
  }

  /** A schedule of reports about the group north. */
  const addSchedule = async () => {
    const { rows } = await superuser.query<{ id: string }>(
      `insert into report_schedules (tenant_id, id, name, group_name, period, time_zone, send_minute, next_day, next_at)
       values ('a', gen_random_uuid(), $1, 'north', 'week', 'UTC', 420, '2026-11-09', now() + interval '7 days') returning id`,
      [marks.north.word],
    )
    return rows[0]?.id as string
  }

  /** A view that the administrator shares with the group north. */
  const addSavedView = async () => {
    const { rows } = await superuser.query<{ id: string }>(
      `insert into saved_views values ('a', gen_random_uuid(), $1, gen_random_uuid()::text, 'dashboard',
         jsonb_build_object('q', $2::text), 'group', 'north', now()) returning id`,
      [users.admin.id, marks.north.word],
    )
    return rows[0]?.id as string
  }

  /** A link that shows the line of the group north. */
  const addShareLink = async () => {
    const secret = randomBytes(32).toString('base64url')
    const { rows } = await superuser.query<{ id: string }>(
      `insert into share_links (tenant_id, id, secret_hash, kind, service_line_id, title, created_at, created_by, expires_at)
       values ('a', gen_random_uuid(), $1, 'terminal', $2, $3, now(), $4, now() + interval '7 days') returning id`,
      [sha256(secret), lines.north.id, marks.north.word, users.admin.id],
    )
    return { id: rows[0]?.id as string, secret }
  }

  /** An authenticator app of a user. Nobody has its secret. */
  const addTotp = async (tenant: string, userId: number) => {
    await superuser.query(
      `with added as (update users set has_second_factor = true where tenant_id = $1 and id = $2)
       insert into totp_secrets (tenant_id, user_id, secret, created_at, confirmed_at) values ($1, $2, '\\x00', now(), now())`,
      [tenant, userId],
    )
  }

  /** A webhook of the group north, with a delivery. */
  const addWebhook = async () => {
    await superuser.query('delete from webhook_endpoints')
    const { rows } = await superuser.query<{ id: string; delivery_id: string }>(
      `with endpoint as (
         insert into webhook_endpoints (tenant_id, id, name, url, format, event_types, group_name, sealed_secret, created_at)
         values ('a', gen_random_uuid(), $1, 'https://hooks.example/', 'standard', '{incident.opened}', 'north', '\\x00', now())
         returning id),
       delivery as (
         insert into webhook_deliveries (tenant_id, endpoint_id, type, occurred_at, subject, body, created_at, due_at, give_up_at)
         select 'a', id, 'ping', now(), '{}', $1, now(), now(), now() from endpoint returning id)
       select endpoint.id, delivery.id as delivery_id from endpoint, delivery`,
      [marks.north.word],
    )
    return rows[0] as { id: string; delivery_id: string }
  }

  /** A mail that was sent to a user of the group north. */
  const addMessage = async () => {
    const { rows } = await superuser.query<{ id: string }>(
      `insert into messages (tenant_id, channel, recipient, subject, text, message_id, state, finished_at)
       values ('a', 'email', $1, $2, $2, '<sent@a.dishboard>', 'sent', now()) returning id`,
      [users.with.email, marks.north.word],
    )
    return (rows[0] as { id: string }).id
  }

  let victims = 0
  return {
    ...server,
    superuser,
    users,
    lines,
    addPerson: add,
    addWindow,
    findReport,
    addSchedule,
    addSavedView,
    addShareLink,
    addTotp,
    addWebhook,
    addMessage,
    /** Somebody to change or delete, of the group of the caller who wants to. */
    addTargetUser: async () => {
      const email = `victim${++victims}@a.example`
      return { email, id: await server.addUser('a', { email }) }
    },
    close: async () => {
      await superuser.end()
      await server.close()
    },
  }
}

export type SeededTenants = Awaited<ReturnType<typeof startSeededTenants>>
