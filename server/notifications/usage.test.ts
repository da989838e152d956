import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { findRecipient, listVisibleLines } from './audience.ts'
import { rehearse } from './rehearse.ts'
import { addLines, sendUntil, setPreferences } from './testing/fleet.ts'
import { recordUsageCrossings } from './usage-crossings.ts'

const HOUR_MS = 3_600_000
const START = new Date('2026-11-10T20:00:00Z')
const at = (hours: number) => new Date(START.getTime() + hours * HOUR_MS)

let server: TestServer
let user: number
let own: number[]
let foreign: number[]

beforeAll(async () => {
  server = await startTestServer()
  user = await server.addUser('a')
  own = (await addLines(server.database, 'a', 3, 'north')).map(({ lineId }) => lineId)
  foreign = (await addLines(server.database, 'a', 2, 'south')).map(({ lineId }) => lineId)
})
afterAll(() => server.close())

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId: 'a' }, work)

const deleteEverything = () =>
  inTenant(async (db) => {
    for (const table of ['messages', 'notification_states', 'usage_crossings', 'line_usage', 'pools'] as const)
      await db.deleteFrom(table).execute()
  })

const prefer = (preferences: object = {}) =>
  setPreferences(server.database, 'a', user, {
    by_email: true,
    by_sms: false,
    phone_number: '+19075550101',
    phone_verified_at: new Date(0),
    status_changes: false,
    data_usage: true,
    selected_line_ids: [...own, ...foreign],
    sms_daily_limit: 10,
    ...preferences,
  })

beforeEach(async () => {
  await deleteEverything()
  await prefer()
  await sendUntil(server.database, 'a', at(-1))
})

/** One worker run. */
const runWorker = async (hours: number) => {
  await inTenant((db) => recordUsageCrossings(db, 'a', at(hours)))
  await sendUntil(server.database, 'a', at(hours))
}

const november = { cycle_start: '2026-11-01', cycle_end: '2026-12-01' }
const december = { cycle_start: '2026-12-01', cycle_end: '2027-01-01' }

const use = (lineId: number, gb: number, cycle = november) =>
  inTenant((db) =>
    db
      .insertInto('line_usage')
      .values({
        tenant_id: 'a',
        service_line_id: lineId,
        ...cycle,
        usage_limit_gb: 100,
        priority_gb: gb,
        standard_gb: 0,
        opt_in_priority_gb: 0,
        non_billable_gb: 0,
      })
      .onConflict((clash) =>
        clash.columns(['tenant_id', 'service_line_id', 'cycle_start']).doUpdateSet({ priority_gb: gb }),
      )
      .execute(),
  )

const addPool = (lineIds: number[]) =>
  inTenant(async (db) => {
    const { id } = await db
      .insertInto('pools')
      .values({
        tenant_id: 'a',
        name: 'Shared',
        over_limit_behavior: 'Soft Cap',
        usage_limit_gb: 1000,
        next_usage_limit_gb: 1000,
        anchor_day: 1,
        created_at: START,
        ...november,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('pool_lines')
      .values(lineIds.map((line) => ({ tenant_id: 'a', service_line_id: line, pool_id: id })))
      .execute()
    return id
  })

const setPool = (id: number, values: object) =>
  inTenant((db) => db.updateTable('pools').set(values).where('id', '=', id).execute())

const listSubjects = async () => {
  const rows = await inTenant((db) =>
    db.selectFrom('messages').select('subject').orderBy('created_at').orderBy('id').execute(),
  )
  return rows.map(({ subject }) => subject)
}

const marks = (name: string) => [80, 90, 100].map((percent) => `${name} has used ${percent}% of its data`)

test('reports 80, 90 and 100 percent of a line’s limit once each per cycle', async () => {
  const line = own[2] as number
  for (const [hour, gb] of [50, 81, 85, 92, 100, 130].entries()) {
    await use(line, gb)
    await runWorker(hour)
  }
  await runWorker(10)
  expect(await listSubjects()).toEqual(marks('Nome 3'))
  for (const [hour, gb] of [10, 83, 95, 101].entries()) {
    await use(line, gb, december)
    await runWorker(24 * 25 + hour)
  }
  await runWorker(24 * 26)
  expect(await listSubjects()).toEqual([...marks('Nome 3'), ...marks('Nome 3')])
})

test('reports 80, 90 and 100 percent of a pool once each per cycle, named after the user’s own lines in it', async () => {
  const pool = await addPool([own[0] as number, own[1] as number, ...foreign])
  // The line alone would be over its limit, but in a pool only the pool's limit counts.
  await use(own[0] as number, 500)
  for (const [hour, used] of [500, 810, 905, 999, 1001, 1400].entries()) {
    await setPool(pool, { used_gb: used })
    await runWorker(hour)
  }
  await runWorker(10)
  expect(await listSubjects()).toEqual(marks('The pool of Nome 1 and 1 more'))
  await setPool(pool, { top_up_gb: 1000, used_gb: 1700 })
  await runWorker(11)
  await runWorker(12)
  expect(await listSubjects()).toHaveLength(3)
  await setPool(pool, { top_up_gb: 0, used_gb: 850, ...december })
  await runWorker(24 * 25)
  await runWorker(24 * 25 + 1)
  expect((await listSubjects()).slice(3)).toEqual([marks('The pool of Nome 1 and 1 more')[0]])
})

test('reports no line or pool that the user may not see', async () => {
  const pool = await addPool([foreign[0] as number])
  await setPool(pool, { used_gb: 990 })
  await use(foreign[1] as number, 99)
  await runWorker(0)
  await runWorker(1)
  expect(await listSubjects()).toEqual([])
})

test('rehearses the same usage messages that were sent live', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          gap: fc.integer({ min: 1, max: 9 }),
          line: fc.nat(2),
          gb: fc.integer({ min: 40, max: 60 }),
          pooled: fc.nat(500),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      async (steps) => {
        await deleteEverything()
        await prefer({ by_sms: true, sms_daily_limit: 2 })
        await sendUntil(server.database, 'a', at(-1))
        const pool = await addPool([own[0] as number, foreign[0] as number])
        const used = { lines: [0, 0, 0], pool: 0, hour: 0 }
        for (const { gap, line, gb, pooled } of steps) {
          used.hour += gap
          used.pool += pooled
          used.lines[line] = (used.lines[line] ?? 0) + gb
          await use(own[line] as number, used.lines[line] as number)
          await setPool(pool, { used_gb: used.pool })
          await runWorker(used.hour)
        }
        await runWorker(used.hour + 48)
        const messages = await inTenant((db) => db.selectFrom('messages').select(['channel', 'notice']).execute())
        const live = messages.map(({ channel, notice }) => {
          const { atMs, usage } = notice as unknown as { atMs: number; usage: object[] }
          return { channel, atMs, usage }
        })
        const replayed = await inTenant(async (db) => {
          const recipient = await findRecipient(db, 'a', user)
          if (!recipient) throw new Error('The user is gone.')
          const visible = await listVisibleLines(db, 'a', recipient, recipient.selected_line_ids)
          return rehearse(db, 'a', recipient, visible, { after: at(-1), until: at(used.hour + 48) })
        })
        const rehearsed = replayed.map(({ channel, notice }) => ({ channel, atMs: notice.atMs, usage: notice.usage }))
        const byTime = (one: { atMs: number; channel: string }, other: { atMs: number; channel: string }) =>
          one.atMs - other.atMs || one.channel.localeCompare(other.channel)
        expect(live.sort(byTime)).toEqual(rehearsed.sort(byTime))
      },
    ),
    { numRuns: 12 },
  )
})
