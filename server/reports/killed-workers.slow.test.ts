import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenToDatabase } from '../platform/database/listen.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { addLine } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { createReportQueue } from './queue.ts'

const GROUPS = 12
const NOW = '2026-11-02T12:00:00Z'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (let index = 0; index < GROUPS; index++) {
    const group = `group ${index}`
    const id = await server.addUser('a', { email: `user${index}@mail.example`, username: group })
    await server.database.transaction({ tenantId: 'a' }, async (db) => {
      await addLine(db, 'a', { service_line_number: `SL-${index}`, group_name: group })
      await sql`
        with schedule as (
          insert into report_schedules (tenant_id, id, name, group_name, period, time_zone, send_minute, next_day, next_at)
          values ('a', gen_random_uuid(), ${group}, ${group}, 'week', 'UTC', 420, '2026-10-26', '2026-11-02T07:00:00Z')
          returning id)
        insert into report_recipients select 'a', id, ${id} from schedule`.execute(db)
    })
  }
})
afterAll(() => server.close())

test('every report is made and sent once, though processes are killed while they make them', async () => {
  const script = new URL('./testing/report-and-die.ts', import.meta.url)
  const start = (dieAfterMs: number): ChildProcess =>
    fork(script, {
      env: { ...process.env, CONNECTION: JSON.stringify(server.runtime), NOW, DIE_AFTER_MS: String(dieAfterMs) },
    })
  for (const dieAfterMs of [1, 5, 20, 60]) {
    const pair = [start(dieAfterMs), start(dieAfterMs * 2)]
    // A process that gets no work is killed from here.
    await Promise.race(pair.map((child) => once(child, 'exit')))
    for (const child of pair) child.kill('SIGKILL')
    await Promise.all(pair.map((child) => child.signalCode ?? once(child, 'exit')))
  }
  const log = pino({ level: 'silent' })
  const now = () => new Date(NOW)
  const listener = listenToDatabase({ connection: server.runtime, log })
  const queues = { reports: createReportQueue({ database: server.database, now }) }
  const worker = startWorker({ listener, log, now, queues, timing: { heartbeatMs: 50, pollIntervalMs: 50 } })
  const countDue = () =>
    server.database.transaction({ tenantId: 'a' }, async (db) => {
      const rows = await db.selectFrom('report_schedules').select('id').where('next_at', '<=', now()).execute()
      return rows.length
    })
  await expect.poll(countDue).toBe(0)
  await worker.stop()
  await listener.close()
  const { rows } = await server.database.transaction({ tenantId: 'a' }, (db) =>
    sql<{ reports: number; different: number; mails: number; recipients: number }>`
      select (select count(*)::integer from reports) as reports,
        (select count(distinct group_name)::integer from reports) as different,
        (select count(*)::integer from messages) as mails,
        (select count(distinct recipient)::integer from messages) as recipients`.execute(db),
  )
  expect(rows[0]).toEqual({ reports: GROUPS, different: GROUPS, mails: GROUPS, recipients: GROUPS })
})
