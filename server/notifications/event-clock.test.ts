import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Db } from '../platform/database/database.ts'
import { advanceEventClock } from '../platform/database/event-clock.ts'
import { recordFeedSuccess } from '../telemetry/feed-state.ts'
import { appendEdges } from '../telemetry/terminal-states.ts'
import { addCredential } from '../testing/add-line.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { listFleetEvents } from './events.ts'
import { createNotificationQueue } from './queue.ts'
import { rewindEventClock } from './rewind-event-clock.ts'
import { addLines, sendUntil, setPreferences } from './testing/fleet.ts'
import { recordUsageCrossings } from './usage-crossings.ts'

const TERMINALS = 40

let server: TestServer
let user: number
let lines: { lineId: number; terminalId: number }[]

beforeAll(async () => {
  server = await startTestServer()
  user = await server.addUser('a')
  lines = await addLines(server.database, 'a', TERMINALS, 'north')
})
afterAll(() => server.close())

const inTenant = <T>(work: (db: Db) => Promise<T>) => server.database.transaction({ tenantId: 'a' }, work)

const readClock = () => inTenant((db) => advanceEventClock(db, 'a'))

const purgeEvents = () =>
  inTenant(async (db) => {
    for (const table of [
      'messages',
      'notification_states',
      'usage_crossings',
      'line_usage',
      'status_intervals',
    ] as const)
      await db.deleteFrom(table).execute()
  })

beforeEach(purgeEvents)

const goOffline = (db: Db, index: number) => {
  const { terminalId } = lines[index] as { terminalId: number }
  return appendEdges(db, 'a', [{ terminalId, atMs: Date.now() - 400_000, status: 'offline', disabled: false }])
}

test('a change that a slow transaction adds after the watermark has passed its beginning is notified', async () => {
  await setPreferences(server.database, 'a', user, {
    by_email: true,
    status_changes: true,
    selected_line_ids: lines.map(({ lineId }) => lineId),
  })
  const notify = async () => sendUntil(server.database, 'a', await readClock())
  await notify()
  await inTenant(async (db) => {
    await sql`select from terminals`.execute(db)
    await notify()
    await goOffline(db, 0)
  })
  await notify()
  // Changes are first collected for two minutes.
  await sendUntil(server.database, 'a', new Date(Date.now() + 600_000))
  const mails = await inTenant((db) => db.selectFrom('messages').select('subject').execute())
  expect(mails.map(({ subject }) => subject.replace(/ since.*/, ''))).toEqual(['Nome 1 is offline'])
})

test('after the clock of the database was ahead, changes are notified without waiting for that time', async () => {
  await setPreferences(server.database, 'a', user, {
    by_email: true,
    status_changes: true,
    selected_line_ids: lines.map(({ lineId }) => lineId),
  })
  const queue = createNotificationQueue({ database: server.database, log: { error: () => {} }, now: () => new Date() })
  const job = { queue: 'notifications', tenantId: 'a', subject: '', fence: 1, failures: 0 } as const
  const run = () => queue.run(job, new AbortController().signal)
  await run()
  await inTenant(async (db) => {
    await sql`update event_clocks set at = now() + interval '90 days'`.execute(db)
    await goOffline(db, 1)
  })
  await run()
  const { rows } = await inTenant((db) =>
    sql<{ clock: Date; noted: Date }>`
      select at as clock, (select max(noted_at) from status_intervals) as noted from event_clocks`.execute(db),
  )
  const [{ clock, noted } = { clock: new Date(0), noted: new Date(0) }] = rows
  expect(noted.getTime()).toBeLessThan(clock.getTime())
  expect(clock.getTime()).toBeLessThan(Date.now() + 60_000)
  await inTenant((db) => goOffline(db, 2))
  await run()
  await sendUntil(server.database, 'a', new Date(Date.now() + 600_000))
  // One went offline before the clock was corrected, and one after.
  const mails = await inTenant((db) => db.selectFrom('messages').select('subject').execute())
  expect(mails.map(({ subject }) => subject.replace(/ since.*/, ''))).toEqual(['2 terminals in Nome, AK are offline'])
})

test('while telemetry shows that the clock of the database is behind, nothing is dated anew', async () => {
  const queue = createNotificationQueue({ database: server.database, log: { error: () => {} }, now: () => new Date() })
  const job = { queue: 'notifications', tenantId: 'a', subject: '', fence: 1, failures: 0 } as const
  const ahead = new Date(Date.now() + 90 * 86_400_000)
  await inTenant(async (db) => {
    await recordFeedSuccess(
      db,
      { tenantId: 'a', credentialId: await addCredential(db, 'a'), feed: 'telemetry', at: ahead },
      ahead,
    )
    await sql`update event_clocks set at = ${ahead}`.execute(db)
    await goOffline(db, 3)
  })
  await queue.run(job, new AbortController().signal)
  const dated = await inTenant((db) => db.selectFrom('status_intervals').select('noted_at').execute())
  expect(dated.map(({ noted_at }) => noted_at > ahead)).toEqual([true])
  await inTenant(async (db) => {
    await sql`delete from vendor_feeds`.execute(db)
    await rewindEventClock(db, 'a')
  })
})

const month = (ahead: number) => {
  const today = new Date()
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + ahead, 1)).toISOString().slice(0, 10)
}

const crossLimit = async (db: Db, index: number) => {
  const { lineId } = lines[index] as { lineId: number }
  const usage = { priority_gb: 85, standard_gb: 0, opt_in_priority_gb: 0, non_billable_gb: 0, usage_limit_gb: 100 }
  await db
    .insertInto('line_usage')
    .values({ tenant_id: 'a', service_line_id: lineId, cycle_start: month(0), cycle_end: month(1), ...usage })
    .execute()
  await recordUsageCrossings(db, 'a', await advanceEventClock(db, 'a'))
}

const sleep = (db: Db, ms: number) => sql`select pg_sleep(${ms / 1000}::float8)`.execute(db)

const anyTransaction = fc.record({
  readMs: fc.nat(25),
  commitMs: fc.nat(25),
  kind: fc.constantFrom('status', 'usage'),
  isRolledBack: fc.boolean(),
})

test('slow, overlapping transactions of several writers: every committed event is processed exactly once', async () => {
  const lineIds = lines.map(({ lineId }) => lineId)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyTransaction, { minLength: 1, maxLength: 8 }), { minLength: 2, maxLength: 5 }),
      async (writers) => {
        await purgeEvents()
        const committed: string[] = []
        let after = await readClock()
        let nextIndex = 0
        const write = async (transactions: (typeof writers)[number]) => {
          for (const { readMs, commitMs, kind, isRolledBack } of transactions) {
            const index = nextIndex++
            await inTenant(async (db) => {
              await sleep(db, readMs)
              await (kind === 'status' ? goOffline(db, index) : crossLimit(db, index))
              await sleep(db, commitMs)
              if (isRolledBack) throw new Error('rolled back')
            }).then(
              () => committed.push(`${kind} ${lineIds[index]}`),
              (error: Error) => expect(error.message).toBe('rolled back'),
            )
          }
        }
        const processed: string[] = []
        const readOn = async () => {
          const until = await readClock()
          const events = await inTenant((db) => listFleetEvents(db, 'a', lineIds, { after, until }))
          for (const event of events)
            processed.push(`${event.kind} ${event.kind === 'usage' ? event.lineIds[0] : event.lineId}`)
          after = until
        }
        let isWriting = true
        const writing = Promise.all(writers.map(write)).finally(() => {
          isWriting = false
        })
        while (isWriting) await readOn()
        await writing
        await readOn()
        expect(processed.sort()).toEqual(committed.sort())
      },
    ),
    { numRuns: 12 },
  )
})
