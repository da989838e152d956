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

const forgetEverything = () =>
  inTenant(async (db) => {
    for (const table of ['messages', 'notification_states', 'usage_crossings', 'line_usage', 'pools'] as const)
      await db.deleteFrom(table).execute()
  })

const wish = (wishes: object = {}) =>
  setPreferences(server.database, 'a', user, {
    ...{ by_email: true, by_sms: false, phone_number: '+19075550101', status_changes: false, data_usage: true },
    ...{ selected_line_ids: [...own, ...foreign], sms_daily_limit: 10 },
    ...wishes,
  })

beforeEach(async () => {
  await forgetEverything()
  await wish()
  await sendUntil(server.database, 'a', at(-1))
})

/** What a worker does now and then. */
const look = async (hours: number) => {
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
        ...{ tenant_id: 'a', service_line_id: lineId, ...cycle, usage_limit_gb: 100 },
        ...{ priority_gb: gb, standard_gb: 0, opt_in_priority_gb: 0, non_billable_gb: 0 },
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
        ...{ tenant_id: 'a', name: 'Shared', over_limit_behavior: 'Soft Cap', usage_limit_gb: 1000 },
        ...{ next_usage_limit_gb: 1000, anchor_day: 1, created_at: START, ...november },
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

const marks = (name: string) => [80, 90, 100].map((percent) => `${name} has used ${percent} % of its data`)

test('80, 90 and 100 percent of a line’s limit are told once each in a cycle, and again in the next', async () => {
  const line = own[2] as number
  for (const [hour, gb] of [50, 81, 85, 92, 100, 130].entries()) {
    await use(line, gb)
    await look(hour)
  }
  await look(10)
  expect(await listSubjects()).toEqual(marks('Nome 3'))
  for (const [hour, gb] of [10, 83, 95, 101].entries()) {
    await use(line, gb, december)
    await look(24 * 25 + hour)
  }
  await look(24 * 26)
  expect(await listSubjects()).toEqual([...marks('Nome 3'), ...marks('Nome 3')])
})

test('80, 90 and 100 percent of a pool are told once each in a cycle, by the person’s own lines in it', async () => {
  const pool = await addPool([own[0] as number, own[1] as number, ...foreign])
  // Alone it would be over its limit; in a pool it goes by the pool.
  await use(own[0] as number, 500)
  for (const [hour, used] of [500, 810, 905, 999, 1001, 1400].entries()) {
    await setPool(pool, { used_gb: used })
    await look(hour)
  }
  await look(10)
  expect(await listSubjects()).toEqual(marks('The pool of Nome 1 and 1 more'))
  await setPool(pool, { top_up_gb: 1000, used_gb: 1700 })
  await look(11)
  await look(12)
  expect(await listSubjects()).toHaveLength(3)
  await setPool(pool, { top_up_gb: 0, used_gb: 850, ...december })
  await look(24 * 25)
  await look(24 * 25 + 1)
  expect((await listSubjects()).slice(3)).toEqual([marks('The pool of Nome 1 and 1 more')[0]])
})

test('a line or a pool that the person may not see is not told of', async () => {
  const pool = await addPool([foreign[0] as number])
  await setPool(pool, { used_gb: 990 })
  await use(foreign[1] as number, 99)
  await look(0)
  await look(1)
  expect(await listSubjects()).toEqual([])
})

test('of usage too, what was sent live is what the rehearsal says', async () => {
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
        await forgetEverything()
        await wish({ by_sms: true, sms_daily_limit: 2 })
        await sendUntil(server.database, 'a', at(-1))
        const pool = await addPool([own[0] as number, foreign[0] as number])
        const used = { lines: [0, 0, 0], pool: 0, hour: 0 }
        for (const { gap, line, gb, pooled } of steps) {
          used.hour += gap
          used.pool += pooled
          used.lines[line] = (used.lines[line] ?? 0) + gb
          await use(own[line] as number, used.lines[line] as number)
          await setPool(pool, { used_gb: used.pool })
          await look(used.hour)
        }
        await look(used.hour + 48)
        const messages = await inTenant((db) => db.selectFrom('messages').select(['channel', 'notice']).execute())
        const live = messages.map(({ channel, notice }) => {
          const { atMs, usage } = notice as unknown as { atMs: number; usage: object[] }
          return { channel, atMs, usage }
        })
        const again = await inTenant(async (db) => {
          const wishes = await findRecipient(db, 'a', user)
          if (!wishes) throw new Error('The person is gone.')
          const visible = await listVisibleLines(db, 'a', wishes, wishes.selected_line_ids)
          return rehearse(db, 'a', wishes, visible, { after: at(-1), until: at(used.hour + 48) })
        })
        const rehearsed = again.map(({ channel, notice }) => ({ channel, atMs: notice.atMs, usage: notice.usage }))
        const byTime = (one: { atMs: number; channel: string }, other: { atMs: number; channel: string }) =>
          one.atMs - other.atMs || one.channel.localeCompare(other.channel)
        expect(live.sort(byTime)).toEqual(rehearsed.sort(byTime))
      },
    ),
    { numRuns: 12 },
  )
})
