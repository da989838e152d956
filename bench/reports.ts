import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { type Database, type Db, openDatabase } from '#server/platform/database/database.ts'
import { listenToDatabase } from '#server/platform/database/listen.ts'
import { refreshStatistics } from '#server/platform/database/refresh-statistics.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { startWorker } from '#server/platform/worker/worker.ts'
import { readConfig } from '#server/process/config.ts'
import { createMailQueues } from '#server/process/work.ts'
import { createReportQueue } from '#server/reports/queue.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { startMailServer } from '#server/testing/mail-server.ts'
import { withDatabase } from './database.ts'
import type { Figure } from './figures.ts'

const TENANTS = 10
const TERMINALS = 50
const REPORTS = 300
/** With usage. */
const DAYS = 62
/** So that all of them take 5 minutes. */
const MAX_SECONDS_EACH = 1

/** Each terminal was lost for 20 minutes every other day of October and used data every day. */
const fill = async (db: Db, tenantId: string, groups: number) => {
  await sql`
    with credential as (
      insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
      values (${tenantId}, '-', '-', ${tenantId}, '\\x00') returning id),
    lines as (
      insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group, active,
        public_ip)
      select ${tenantId}, credential.id, 'SL-' || n, 'Terminal ' || n, 'group ' || n % ${groups}, 'Dishboard', true, false
      from credential, generate_series(1, ${groups * TERMINALS}::integer) as n returning id, credential_id)
    insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial)
    select ${tenantId}, credential_id, id, ${tenantId} || '-' || id, 'KIT' || id from lines`.execute(db)
  await sql`
    insert into feed_coverage
    select tenant_id, id, day, tstzmultirange(tstzrange(day at time zone 'UTC', (day + 1) at time zone 'UTC'))
    from vendor_credentials, (select '2026-08-01'::date + n as day from generate_series(0, 110) as n) as days
    where tenant_id = ${tenantId}`.execute(db)
  await sql`
    insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, noted_at)
    select tenant_id, terminal.id, at + part * interval '20 minutes',
      case when part = 0 then at + interval '20 minutes' when n < 40 then at + interval '2 days' end,
      case part when 0 then 'offline' else 'online' end, at
    from terminals as terminal, generate_series(0, 40) as n, generate_series(0, 1) as part,
      lateral (select '2026-08-20T00:00:00Z'::timestamptz + n * interval '2 days' + (terminal.id % 500) * interval '5 minutes'
        as at) as begin
    where tenant_id = ${tenantId}`.execute(db)
  // In pages, as it arrives: months are added up after each.
  for (let group = 0; group < groups; group++) {
    await sql`
      insert into daily_usage
      select tenant_id, id, '2026-08-31'::date + n, 3 + (id + n) % 7, 1, 0, 0 from service_lines, generate_series(1, ${DAYS}::integer) as n
      where tenant_id = ${tenantId} and group_name = ${`group ${group}`}`.execute(db)
    await refreshStatistics(db, { daily_usage: TERMINALS * DAYS, monthly_usage: TERMINALS })
  }
  await sql`
    with people as (
      insert into users (tenant_id, email, password_hash, role, group_name, customer_name, company)
      select ${tenantId}, 'user' || n || '@' || ${tenantId}::text || '.example', '-', 'user', 'group ' || n, 'Some One', 'Company'
      from generate_series(0, ${groups - 1}::integer) as n returning id, group_name),
    schedules as (
      insert into report_schedules (tenant_id, id, name, group_name, period, time_zone, send_minute, next_day, next_at)
      select ${tenantId}, gen_random_uuid(), 'Monthly report', group_name, 'month', 'UTC', 420, '2026-10-01',
        '2026-11-01T07:00:00Z' from people returning id, group_name)
    insert into report_recipients
    select ${tenantId}, schedules.id, people.id from schedules join people using (group_name)`.execute(db)
}

const prepare = async (owner: Database, database: Database, groups: number) => {
  const by = { performer: 'bench', now: new Date() }
  const tenants = Array.from({ length: TENANTS }, (_, index) => `tenant${index}`)
  for (const id of tenants) {
    await owner.transaction({ tenantId: id }, (db) =>
      createTenant(db, by, { id, hosts: [`${id}.example`], config: { company_name: `Company ${id}` } }),
    )
    await database.transaction({ tenantId: id }, (db) => fill(db, id, groups))
  }
  await sql`analyze`.execute(owner.outsideTenants)
}

/**
 * How long the monthly reports of 300 customers, or the given number, take, from being due until each mail with its PDF has
 * arrived.
 */
export const measureReports = ([named = REPORTS]: readonly number[]): Promise<Figure[]> =>
  withDatabase(async (connections) => {
    const groups = Math.ceil(named / TENANTS)
    const reports = groups * TENANTS
    const log = pino({ level: 'warn' })
    const owner = openDatabase(connections.owner, () => {})
    const database = openDatabase(connections.runtime, () => {})
    await prepare(owner, database, groups)
    const mails = await startMailServer()
    const now = () => new Date(Date.parse('2026-11-01T07:00:00Z') + performance.now())
    const config = { ...readConfig({}), smtpUrl: mails.url, mailFrom: 'portal@sender.example' }
    const secrets = deriveSecrets('a key that is long enough for a bench')
    const mail = createMailQueues({ config, database, secrets, log, now: () => new Date() })
    const listeners = {
      reports: listenToDatabase({ connection: connections.runtime, log }),
      mail: listenToDatabase({ connection: connections.runtime, log }),
    }
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const startedAt = performance.now()
    const workers = [
      startWorker({ listener: listeners.reports, log, now, queues: { reports: createReportQueue({ database, now }) } }),
      startWorker({
        listener: listeners.mail,
        log,
        now: () => new Date(),
        queues: { mail: mail.queues.mail as never },
      }),
    ]
    while (mails.mails.length < reports) await pause(100)
    const seconds = (performance.now() - startedAt) / 1000
    delay.disable()
    for (const worker of workers) await worker.stop()
    mail.close()
    const bytes = mails.mails.reduce((sum, { raw }) => sum + raw.length, 0) / reports
    await mails.close()
    await Promise.all([listeners.reports.close(), listeners.mail.close()])
    await Promise.all([owner.close(), database.close()])
    return [
      {
        name: `${reports} reports of ${TERMINALS} terminals: made, rendered and mailed`,
        value: seconds,
        unit: 's',
        atMost: reports * MAX_SECONDS_EACH,
      },
      { name: 'one of them', value: (1000 * seconds) / reports, unit: 'ms' },
      { name: 'delay of requests of the process meanwhile, p99', value: delay.percentile(99) / 1e6 - 5, unit: 'ms' },
      { name: 'a mail with its report', value: bytes / 1024, unit: 'KiB' },
    ]
  })
