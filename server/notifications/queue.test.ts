import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenToDatabase } from '../platform/database/listen.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { appendEdges } from '../telemetry/terminal-states.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { createNotificationQueue } from './queue.ts'
import { addLines, sendUntil, setPreferences } from './testing/fleet.ts'

const HOUR_MS = 3_600_000
const log = pino({ level: 'silent' })

let server: TestServer
let user: number
let line: { lineId: number; terminalId: number }

beforeAll(async () => {
  server = await startTestServer()
  user = await server.addUser('a')
  line = (await addLines(server.database, 'a', 1, 'north'))[0] as typeof line
})
afterAll(() => server.close())

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId: 'a' }, work)

const goOffline = () =>
  inTenant((db) =>
    appendEdges(db, 'a', [
      { terminalId: line.terminalId, atMs: Date.now() - 400_000, status: 'offline', disabled: false },
    ]),
  )

const subscribe = (by_email: boolean) =>
  setPreferences(server.database, 'a', user, {
    by_email,
    status_changes: true,
    selected_line_ids: [line.lineId],
  })

const countMails = async () => (await inTenant((db) => db.selectFrom('messages').select('id').execute())).length

/** A worker whose polls, other than the first, come too late for the test. */
const startNotifications = (aheadMs: number) => {
  const turns: string[] = []
  const now = () => new Date(Date.now() + aheadMs)
  const queue = createNotificationQueue({ database: server.database, log, now })
  const listener = listenToDatabase({ connection: server.runtime, log })
  const worker = startWorker({
    listener,
    log,
    now,
    timing: { pollIntervalMs: HOUR_MS },
    queues: {
      notifications: {
        ...queue,
        run: async (job, signal) => {
          const next = await queue.run(job, signal)
          turns.push(`${job.tenantId} ${next ? 'pending' : 'idle'}`)
          return next
        },
      },
    },
  })
  return {
    turns,
    stop: async () => {
      await worker.stop()
      await listener.close()
    },
  }
}

test('a change of status leads to a mail without a poll, and idle tenants have no turns', async () => {
  await subscribe(true)
  // A change is held for 15 seconds to coalesce it with others; for this worker they have passed.
  const first = startNotifications(20_000)
  const tenants = await server.database.outsideTenants.selectFrom('tenants').select('id').orderBy('id').execute()
  const seeded = tenants.map(({ id }) => `${id} idle`)
  await expect.poll(() => [...first.turns].sort()).toEqual(seeded)
  await goOffline()
  await expect.poll(() => first.turns.slice(seeded.length)).toEqual(['a pending'])
  await first.stop()
  expect(await countMails()).toBe(0)
  // An hour passes.
  await inTenant((db) => sql`update event_clocks set at = at + interval '1 hour' where tenant_id = 'a'`.execute(db))
  const second = startNotifications(HOUR_MS)
  await expect.poll(() => second.turns).toEqual(['a idle'])
  expect(await countMails()).toBe(1)
  await inTenant((db) => enqueue(db, 'notifications', 'a'))
  await expect.poll(() => second.turns).toEqual(['a idle', 'a idle'])
  await second.stop()
})

test('a user who turns notifications off and on again is not notified of what happened between', async () => {
  await inTenant((db) => db.deleteFrom('messages').execute())
  const start = Date.now() + 2 * HOUR_MS
  const runTurn = (minutes: number) => sendUntil(server.database, 'a', new Date(start + minutes * 60_000))
  await subscribe(true)
  await runTurn(0)
  await subscribe(false)
  await runTurn(1)
  await inTenant((db) =>
    sql`insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, disabled, noted_at)
      values ('a', ${line.terminalId}, ${new Date(start + 2 * 60_000)}, ${new Date(start + 3 * 60_000)}, 'no data',
        false, ${new Date(start + 2 * 60_000)})`.execute(db),
  )
  await runTurn(30)
  await subscribe(true)
  await runTurn(40)
  await runTurn(60)
  expect(await countMails()).toBe(0)
})
