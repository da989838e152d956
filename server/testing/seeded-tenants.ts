import { randomBytes } from 'node:crypto'
import type { AuditAction } from '#contract/audit-sentences.ts'
import { featureItems } from '#contract/features.ts'
import { recordAudit } from '../audit/record.ts'
import { sha256 } from '../platform/secrets.ts'
import { connectVendor } from '../vendor/credentials.ts'
import type { TestDatabase } from './database.ts'
import { type Mark, marks, type Owner } from './marks.ts'
import { seedLine, seedSharedIncident, seedSharedPool, seedSharedReport } from './seed-marked-rows.ts'
import { startTestServer, type TestServer } from './server.ts'

const connectTo = ({ database, services }: TestServer, tenantId: string, owner: Owner) =>
  database.transaction({ tenantId }, (db) =>
    connectVendor(db, services.secrets, {
      tenantId,
      clientId: `${marks[owner].word} client`,
      clientSecret: marks[owner].word,
      // Nothing listens there.
      baseUrl: 'http://127.0.0.1:9/',
      tokenUrl: 'http://127.0.0.1:9/',
    }),
  )

/** Two tenants, two groups in the first, and users of every kind. Everything that a user owns is marked. */
export const startSeededTenants = async (given?: TestDatabase) => {
  const server = await startTestServer({}, given)
  const superuser = await server.connectSuperuser()
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

  /** A signed-in user; `hold` grants every item or none. */
  const add = async (tenant: string, name: string, group: string, mark: Mark, hold?: 'all' | 'none') => {
    const email = `${name}@${marks[mark].word}.example`
    const role = name.includes('admin') ? 'admin' : 'user'
    const customerName = `${marks[mark].word} ${name}`
    const id = await server.addUser(tenant, { email, role, username: group, customerName, company: customerName })
    for (const [item, { kind }] of hold ? Object.entries(featureItems) : []) {
      const value = kind === 'enum' ? { all: 'read_write', none: 'cannot_see' } : { all: 'true', none: 'false' }
      await superuser.query('insert into feature_grants values ($1, $2, $3, $4, $5)', [
        tenant,
        id,
        item,
        value[hold as 'all' | 'none'],
        'test',
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
      performer: marks.foreign.word,
      action: marks.foreign.word as AuditAction,
      performee: marks.foreign.word,
      details: { before: { [marks.foreign.word]: Number(marks.foreign.digits) } },
    }),
  )

  /** A running maintenance window of the group north. */
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

  /** A report on the group north. */
  const findReport = async () => {
    const { rows } = await superuser.query<{ id: string }>(
      "select id from reports where tenant_id = 'a' and group_name = 'north' limit 1",
    )
    return rows[0]?.id as string
  }

  /** A report schedule for the group north. */
  const addSchedule = async () => {
    const { rows } = await superuser.query<{ id: string }>(
      `insert into report_schedules (tenant_id, id, name, group_name, period, time_zone, send_minute, next_day, next_at)
       values ('a', gen_random_uuid(), $1, 'north', 'week', 'UTC', 420, '2026-11-09', now() + interval '7 days') returning id`,
      [marks.north.word],
    )
    return rows[0]?.id as string
  }

  /** A bulk change of the line of the group north, started by a user. */
  const addBulkChange = async (userId: number, state: 'running' | 'finished') => {
    await superuser.query('delete from bulk_changes')
    const { rows } = await superuser.query<{ id: string }>(
      `with change as (
         insert into bulk_changes (tenant_id, id, user_id, kind, field, state, started_at)
         values ('a', gen_random_uuid(), $1, 'metadata', 'metadata3', $2, now()) returning id),
       line as (
         insert into bulk_lines (tenant_id, bulk_id, position, service_line_id, place, state, desired)
         select 'a', id, 1, $3, 1, 'done', $4 from change)
       select id from change`,
      [userId, state, lines.north.id, marks.north.word],
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

  /** A link to the line of the group north. */
  const addShareLink = async () => {
    const secret = randomBytes(32).toString('base64url')
    const { rows } = await superuser.query<{ id: string }>(
      `insert into share_links (tenant_id, id, secret_hash, kind, service_line_id, title, created_at, created_by, expires_at)
       values ('a', gen_random_uuid(), $1, 'terminal', $2, $3, now(), $4, now() + interval '7 days') returning id`,
      [sha256(secret), lines.north.id, marks.north.word, users.admin.id],
    )
    return { id: rows[0]?.id as string, secret }
  }

  /** An authenticator app of a user, with an unknown secret. */
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
    addBulkChange,
    addSavedView,
    addShareLink,
    addTotp,
    addWebhook,
    addMessage,
    /** A user to change or delete, of the caller's group. */
    addTargetUser: async () => {
      const email = `victim${++victims}@a.example`
      return { email, id: await server.addUser('a', { email }) }
    },
  }
}

export type SeededTenants = Awaited<ReturnType<typeof startSeededTenants>>
