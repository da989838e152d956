import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report, ReportHeading } from '#contract/reports.ts'
import { toMailBrand } from '../messages/mail-brand.ts'
import { addTurns } from '../notifications/testing/fleet.ts'
import { createMailQueues } from '../process/work.ts'
import { recordCoverage } from '../telemetry/coverage.ts'
import { recordFeedSuccess } from '../telemetry/feed-state.ts'
import { addCredential, addLine } from '../testing/add-line.ts'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { makeDueReport } from './make-due.ts'
import { createRenderPdf, MAX_WAITING_OF_TENANT } from './render-pdf.ts'
import { findReport, purgeReports, type StoredReport } from './stored-reports.ts'

const HOUR_MS = 3_600_000
/** A Monday in Anchorage. Daylight saving time ends on Sunday, so the week has 169 hours. */
const MONDAY = Date.parse('2026-10-26T00:00:00-08:00')
const at = (hours: number) => new Date(MONDAY + hours * HOUR_MS)
/** Half an hour after the report on that week is due. */
const NOW = new Date('2026-11-02T07:30:00-09:00')

let server: TestServer
let mails: MailServer
let mailQueues: ReturnType<typeof createMailQueues>
const tokens: Record<string, string> = {}
const ids: Record<string, number> = {}
const people: Record<string, string> = { admin: 'staff', north: 'north', planner: 'north', south: 'south' }

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId: 'a' }, work)

/** Sessions expire, so it signs in again. */
const setClock = async (now: Date) => {
  server.clock.now = now
  for (const name of Object.keys(people)) tokens[name] = (await server.signIn('a', `${name}@mail.example`)).access
}

beforeAll(async () => {
  server = await startTestServer()
  mails = await startMailServer()
  const config = { ...server.services.config, smtpUrl: mails.url, mailFrom: 'portal@sender.example' }
  // Ahead of the database's clock, so that a message that was just queued is due.
  const now = () => new Date(Date.now() + HOUR_MS)
  mailQueues = createMailQueues({ ...server.services, config, now, log: pino({ level: 'silent' }) })
  for (const [name, username] of Object.entries(people))
    ids[name] = await server.addUser('a', {
      email: `${name}@mail.example`,
      username,
      role: name === 'admin' ? 'admin' : 'user',
    })
  await inTenant(async (db) => {
    await sql`update tenant_settings set time_zone = 'America/Anchorage'`.execute(db)
    await sql`insert into feature_grants values ('a', ${ids.planner}, 'plan_manager', 'true')`.execute(db)
    await sql`insert into availability_targets values ('a', 'north', 99.9)`.execute(db)
    const add = (name: string, group_name: string) => addLine(db, 'a', { service_line_number: name, group_name })
    const [bethel, nome] = [await add('Bethel', 'north'), await add('Nome', 'south')]
    const credentialId = await addCredential(db, 'a')
    await recordCoverage(db, { tenantId: 'a', credentialId }, [{ fromMs: at(-400).getTime(), toMs: at(400).getTime() }])
    const use = (lineId: number, day: string, gb: number) =>
      sql`insert into daily_usage values ('a', ${lineId}, ${day}, ${gb}, 0, 0, 0)`.execute(db)
    await use(bethel.lineId, '2026-10-27', 30)
    await use(bethel.lineId, '2026-10-20', 10)
    await use(nome.lineId, '2026-10-28', 500)
    await sql`
      insert into pools (tenant_id, name, group_name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day,
        cycle_start, cycle_end, created_at)
      values ('a', 'Shared data', 'north', 'Hard Cap', 100, 100, 1, '2026-11-01', '2026-12-01', now())`.execute(db)
    ids.bethel = bethel.terminalIds[0] as number
    ids.nome = nome.terminalIds[0] as number
  })
  const turn = (name: string, status: 'online' | 'offline', hours: number) =>
    addTurns(server.database, 'a', [{ terminalId: ids[name] as number, status, at: at(hours), notedAt: at(hours) }])
  await turn('bethel', 'online', -300)
  await turn('nome', 'online', -300)
  await turn('bethel', 'offline', 10)
  await turn('bethel', 'online', 12)
  // After the report on the previous week was due.
  await setClock(at(8))
})
afterAll(async () => {
  mailQueues.close()
  await mails.close()
  await server.close()
})

const weekly = {
  name: 'Weekly figures',
  group: null,
  period: 'week',
  timeZone: 'America/Anchorage',
  sendAt: '07:00',
}
const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, name = 'admin', body?: object) =>
  server.call('a', method, `/api${path}`, { token: tokens[name] as string, ...(body && { body }) })

/** Runs the queue's job until nothing is due, like the worker. */
const work = async () => {
  const { rows } = await inTenant((db) =>
    sql<{ fence: number }>`
      insert into jobs (queue, tenant_id, fence) values ('reports', 'a', 1)
      on conflict (queue, tenant_id, subject) do update set fence = jobs.fence + 1 returning fence`.execute(db),
  )
  const job = { queue: 'reports', tenantId: 'a', subject: '', fence: rows[0]?.fence as number, failures: 0 } as const
  const { now } = server.clock
  let next: Date | undefined
  do next = await makeDueReport(server.database, job, now)
  while (next !== undefined && next <= now)
  return next
}

const deliver = () =>
  mailQueues.queues.mail?.run(
    { queue: 'mail', tenantId: 'a', subject: '', fence: 1, failures: 0 },
    new AbortController().signal,
  )

/** Excludes mails about sign-ins. */
const listMails = () => mails.mails.filter((mail) => mail.header('Subject')?.startsWith('Weekly figures'))

const list = async (name: string): Promise<ReportHeading[]> => (await call('GET', '/reports/', name)).body.reports
const read = async (id: string, name: string): Promise<Report> =>
  (await call('GET', `/reports/${id}/`, name)).body.report

let scheduleId: string

test('an administrator schedules reports, which are due after the period in its zone', async () => {
  const recipients = ['admin', 'north', 'planner', 'south'].map((name) => String(ids[name]))
  const added = await call('POST', '/report-schedules/', 'admin', { ...weekly, recipients })
  expect(added.status).toBe(200)
  scheduleId = added.body.id
  const { schedules } = (await call('GET', '/report-schedules/')).body
  expect(schedules).toMatchObject([{ nextFirstDay: '2026-10-26', nextAt: '2026-11-02T16:00:00.000Z' }])
  expect(await work()).toEqual(new Date('2026-11-02T16:00:00Z'))
  expect(await list('admin')).toEqual([])
  expect((await call('POST', '/report-schedules/', 'north', { ...weekly, recipients })).status).toBe(403)
  expect((await call('POST', '/report-schedules/', 'admin', { ...weekly, group: 'nobody', recipients })).status).toBe(
    404,
  )
  expect((await call('POST', '/report-schedules/', 'admin', { ...weekly, recipients: ['999999'] })).status).toBe(400)
})

test('each recipient gets what they may see, once', async () => {
  await setClock(NOW)
  expect(await work()).toEqual(new Date('2026-11-09T16:00:00Z'))
  await deliver()
  expect(
    listMails()
      .map((mail) => mail.to[0])
      .sort(),
  ).toEqual(['admin', 'north', 'planner', 'south'].map((name) => `${name}@mail.example`))
  const findMail = (name: string) => listMails().find((mail) => mail.to[0] === `${name}@mail.example`)
  expect(findMail('north')?.header('Subject')).toBe('Weekly figures: Oct 26 to Nov 1, 2026')
  expect(findMail('north')?.part('text/plain')).toContain('1 terminal worked 98.81% of the time')
  expect(findMail('north')?.part('text/plain')).toContain('30 GB of data was used, after 10 GB in the week before.')
  expect(findMail('admin')?.part('text/plain')).toContain('2 terminals worked 99.40% of the time')
  expect(findMail('south')?.part('text/plain')).toContain('1 terminal worked 100.00% of the time')
  expect(findMail('south')?.raw).toContain('filename=report-south-2026-10-26.pdf')
  expect(findMail('south')?.part('application/pdf')?.startsWith('%PDF-')).toBe(true)
  // Nothing is created or sent twice.
  await work()
  await deliver()
  expect(listMails()).toHaveLength(4)
  expect(await list('admin')).toHaveLength(3)
})

test('a clock that is behind by weeks loses no report, and none is sent again when it is corrected', async () => {
  const { rows } = await inTenant((db) => sql<{ id: number }>`select min(id) as id from vendor_credentials`.execute(db))
  const feed = { tenantId: 'a', credentialId: rows[0]?.id as number, feed: 'telemetry', at: NOW } as const
  await inTenant((db) => recordFeedSuccess(db, feed, NOW))
  const before = await list('admin')
  server.clock.now = new Date(NOW.getTime() - 40 * 24 * HOUR_MS)
  await work()
  server.clock.now = NOW
  expect(await work()).toEqual(new Date('2026-11-09T16:00:00Z'))
  expect(await list('admin')).toEqual(before)
  expect(
    await inTenant((db) => db.selectFrom('messages').select('id').where('state', '=', 'queued').execute()),
  ).toEqual([])
})

test('reports and schedules of a clock that was ahead by weeks are reverted when it is corrected', async () => {
  const ahead = new Date(NOW.getTime() + 40 * 24 * HOUR_MS)
  server.clock.now = ahead
  await work()
  expect((await inTenant((db) => db.selectFrom('reports').select('id').execute())).length).toBeGreaterThan(3)
  server.clock.now = NOW
  expect(await work()).toEqual(new Date('2026-11-09T16:00:00Z'))
  expect(await list('admin')).toHaveLength(3)
  await inTenant((db) => sql`delete from messages where state = 'queued'`.execute(db))
})

test('users read the reports about their group, with plans if they may see plans', async () => {
  const [own] = await list('north')
  expect(await list('north')).toMatchObject([{ group: 'north', percent: expect.closeTo(98.816, 2), isBreached: true }])
  const id = own?.id as string
  const report = await read(id, 'north')
  expect(report).toMatchObject({
    group: 'north',
    firstDay: '2026-10-26',
    lastDay: '2026-11-01',
    terminalCount: 1,
    pools: [],
    availability: { downS: 2 * 3600, upS: 167 * 3600, outages: 1, longestS: 2 * 3600, previousPercent: 100 },
    usage: { usedGb: 30, previousGb: 10, lines: [{ name: 'Bethel', usedGb: 30 }] },
  })
  expect((await read(id, 'planner')).pools).toMatchObject([{ name: 'Shared data', limitGb: 100 }])
  expect((await call('GET', `/reports/${id}/`, 'south')).status).toBe(404)
  for (const kind of ['pdf', 'csv']) expect((await call('GET', `/reports/${id}/${kind}/`, 'south')).status).toBe(404)
  const csv = await call('GET', `/reports/${id}/csv/`, 'north')
  expect(csv.body).toContain('Bethel')
  expect(csv.body).not.toContain('Nome')
  const pdf = await call('GET', `/reports/${id}/pdf/`, 'north')
  expect(pdf.headers['content-type']).toBe('application/pdf')
  expect(pdf.headers['content-disposition']).toBe('attachment; filename="report-north-2026-10-26.pdf"')
})

test('a tenant that requests many files at once leaves turns to others', async () => {
  const [own] = await list('north')
  const stored = await inTenant((db) => findReport(db, 'a', own?.id as string, { seesPlans: false }))
  const render = createRenderPdf(async () => undefined)
  const brand = toMailBrand({ company_name: 'Company' })
  const request = (tenantId: string) => render(tenantId, { ...(stored as StoredReport), brand })
  const requests = Array.from({ length: MAX_WAITING_OF_TENANT + 2 }, () => request('a'))
  const settled = Promise.allSettled([...requests, request('b')])
  expect((await settled).map(({ status }) => status)).toEqual([
    ...Array(MAX_WAITING_OF_TENANT).fill('fulfilled'),
    'rejected',
    'rejected',
    'fulfilled',
  ])
})

test('a report does not change when what it is about does, and nobody can change it', async () => {
  const [own] = await list('north')
  const before = await read(own?.id as string, 'north')
  await inTenant((db) => sql`update daily_usage set priority_gb = 7000`.execute(db))
  await work()
  expect(await read(own?.id as string, 'north')).toEqual(before)
  await expect(inTenant((db) => sql`update reports set figures = '{}'`.execute(db))).rejects.toThrow(
    'permission denied',
  )
  const { report } = (await call('GET', '/report-preview/?period=week&timeZone=America/Anchorage&group=north')).body
  expect(report).toMatchObject({ group: 'north', firstDay: '2026-10-26', usage: { usedGb: 7000 } })
  expect(JSON.stringify(report)).not.toContain('Nome')
})

test('what is queued is withdrawn from whoever may not see it when it is sent', async () => {
  mails.mails.length = 0
  expect((await call('POST', `/report-schedules/${scheduleId}/send/`)).status).toBe(200)
  await work()
  // They are queued for all four. Then one user moves to another group, and one is deleted.
  await inTenant(async (db) => {
    await sql`update users set group_name = 'elsewhere' where id = ${ids.south}`.execute(db)
    await sql`delete from users where id = ${ids.planner}`.execute(db)
  })
  delete people.planner
  await deliver()
  expect(
    listMails()
      .map((mail) => mail.to[0])
      .sort(),
  ).toEqual(['admin@mail.example', 'north@mail.example'])
  const failed = await inTenant((db) =>
    db.selectFrom('messages').select(['recipient', 'last_error']).where('state', '=', 'failed').execute(),
  )
  expect(failed.map(({ last_error }) => last_error)).toEqual([
    'The user is gone or may no longer see this report.',
    'The user is gone or may no longer see this report.',
  ])
  const { schedules } = (await call('GET', '/report-schedules/')).body
  expect(schedules).toMatchObject([{ isRequested: false, recipients: [{ email: 'admin@mail.example' }, {}, {}] }])
  const [entry] = (await call('GET', '/get-logs/')).body
  expect(entry).toMatchObject({ actionType: 'report.send', actionPerformee: 'Weekly figures' })
})

test('reports of periods in which no process ran are made later, each once', async () => {
  mails.mails.length = 0
  await setClock(new Date('2026-11-24T12:00:00-09:00'))
  await work()
  const days = (await list('north')).map(({ firstDay }) => firstDay)
  expect(days.sort()).toEqual(['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'])
})

test('a schedule is changed and deleted, and its reports stay until they are old', async () => {
  const change = { ...weekly, name: 'Monthly', group: 'north', period: 'month', recipients: [String(ids.north)] }
  expect((await call('PUT', `/report-schedules/${scheduleId}/`, 'admin', change)).status).toBe(200)
  const { schedules } = (await call('GET', '/report-schedules/')).body
  expect(schedules).toMatchObject([{ name: 'Monthly', nextFirstDay: '2026-11-01', recipients: [{}] }])
  expect((await call('DELETE', `/report-schedules/${scheduleId}/`)).status).toBe(200)
  expect((await call('POST', `/report-schedules/${scheduleId}/send/`)).status).toBe(404)
  expect(await list('north')).toHaveLength(4)
  const purge = (day: string) => inTenant((db) => purgeReports(db, 'a', new Date(day)))
  await purge('2027-12-01T00:00:00Z')
  expect(await list('north')).toHaveLength(4)
  await purge('2027-12-31T00:00:00Z')
  expect(await list('north')).toEqual([])
})
