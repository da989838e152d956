import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { FLEET_CHANNEL, notifyLinesChanged, readNotification } from './notify.ts'

const TENANT = 'a-tenant-with-the-longest-id-there-is-41'

let stored: TestDatabase
let listener: pg.Client
let payloads: string[] = []

beforeAll(async () => {
  stored = await createTestDatabase()
  listener = new pg.Client(stored.runtime)
  await listener.connect()
  listener.on('notification', ({ payload }) => payloads.push(payload as string))
  await listener.query(`listen ${FLEET_CHANNEL}`)
})
afterAll(async () => {
  await listener.end()
  await stored.close()
})

/** The payloads of one transaction. After the commit, the listener receives them before its next query result. */
const notify = async (lineIds: number[]) => {
  payloads = []
  await stored.database.transaction({ tenantId: TENANT }, (db) => notifyLinesChanged(db, TENANT, lineIds))
  await listener.query('select')
  return payloads
}

// Ids of one to seven digits end a payload at every possible position.
test.each([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000])(
  'every one of 1,200 lines from id %i is notified',
  async (first) => {
    const lineIds = Array.from({ length: 1_200 }, (_, index) => first + index)
    const received = (await notify(lineIds)).map(readNotification)
    expect(new Set(received.map(({ tenantId }) => tenantId))).toEqual(new Set([TENANT]))
    expect(received.flatMap<unknown>((each) => each.lineIds)).toEqual(lineIds)
  },
)

test('keeps every payload below the 8,000 bytes that PostgreSQL refuses', async () => {
  for (let digits = 1; digits <= 12; digits++) {
    const lineIds = Array.from({ length: 3_000 }, (_, index) => 10 ** digits + index)
    const longest = Math.max(...(await notify(lineIds)).map((payload) => Buffer.byteLength(payload)))
    expect(longest).toBeLessThan(8_000)
  }
})

test('notifies once about a line that is listed twice, and not at all about an empty list', async () => {
  expect(await notify([7, 8, 7])).toEqual([`${TENANT}:7,8`])
  expect(await notify([])).toEqual([])
})

test('sends one notification for the whole fleet when the lines would fill 40', async () => {
  const lineIds = Array.from({ length: 60_000 }, (_, index) => index)
  expect((await notify(lineIds)).map(readNotification)).toEqual([{ tenantId: TENANT, lineIds: 'all' }])
})
