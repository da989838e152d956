import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/calendar-period.ts'
import { makeDueReport } from '#server/reports/make-due.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { remakeReports } from './past-reports.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('reports that were made too early are made again from the first of them on', async () => {
  await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  const { access: token } = await server.signIn('a', 'admin@mail.example')
  const weekly = {
    name: 'Weekly report',
    group: null,
    period: 'week',
    timeZone: 'UTC',
    sendAt: '07:00',
    recipients: [],
  }
  expect((await server.call('a', 'POST', '/api/report-schedules/', { token, body: weekly })).status).toBe(200)
  const list = () =>
    server.database.transaction({ tenantId: 'a' }, (db) =>
      db.selectFrom('report_schedules').select(['id', 'next_day', 'next_at']).execute(),
    )
  const [schedule] = await list()
  const next = schedule?.next_day as string
  const weeks = [addDays(next, -14), addDays(next, -7)]
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .insertInto('reports')
      .values(
        weeks.map((first_day) => ({
          tenant_id: 'a',
          id: randomUUID(),
          schedule_id: schedule?.id as string,
          name: 'Weekly report',
          period: 'week',
          first_day,
          last_day: first_day,
          figures: '{}',
          made_at: new Date(),
        })),
      )
      .execute(),
  )
  await remakeReports(server.database, 'a')
  const [again] = await list()
  expect(again?.next_day).toBe(weeks[0])
  expect(again?.next_at.getTime()).toBeLessThanOrEqual(Date.now())
  const listReports = () =>
    server.database.transaction({ tenantId: 'a' }, (db) =>
      db.selectFrom('reports').select('first_day').orderBy('first_day').execute(),
    )
  expect(await listReports()).toEqual([])

  await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql`
      insert into jobs (queue, tenant_id, fence) values ('reports', 'a', 1)
      on conflict (queue, tenant_id, subject) do update set fence = 1`.execute(db),
  )
  const job = { queue: 'reports', tenantId: 'a', subject: '', fence: 1, failures: 0 } as const
  const now = new Date()
  while ((await makeDueReport(server.database, job, now)) === now);
  expect(await listReports()).toEqual(expect.arrayContaining(weeks.map((first_day) => ({ first_day }))))
})
