import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db
      .insertInto('reports')
      .values(
        ['2026-11-02', '2026-11-09'].map((first_day) => ({
          ...{
            tenant_id: 'a',
            id: randomUUID(),
            schedule_id: schedule?.id as string,
            name: 'Weekly report',
            period: 'week',
          },
          ...{ first_day, last_day: first_day, figures: '{}', made_at: new Date() },
        })),
      )
      .execute(),
  )
  await remakeReports(server.database, 'a')
  const [again] = await list()
  expect(again?.next_day).toBe('2026-11-02')
  expect(again?.next_at.getTime()).toBeLessThanOrEqual(Date.now())
  const left = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('reports').select('id').execute(),
  )
  expect(left).toEqual([])
})
