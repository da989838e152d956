import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { findDigestTime } from './digest.ts'
import { createRevalidateNotice } from './revalidate-notice.ts'
import { addLines, addTurns, sendUntil, setPreferences } from './testing/fleet.ts'

const HOUR_MS = 3_600_000
const ZONE = 'America/Anchorage'
// 10:10 in Anchorage.
const START_MS = Date.parse('2026-11-10T19:10:00Z')

let server: TestServer
let userId: number
let lines: { lineId: number; terminalId: number }[]

const at = (minutes: number) => new Date(START_MS + minutes * 60_000)
const send = (minutes: number) => sendUntil(server.database, 'a', at(minutes))
const turn = (index: number, status: 'online' | 'offline', minutes: number) =>
  addTurns(server.database, 'a', [
    { terminalId: lines[index]?.terminalId as number, status, at: at(minutes), notedAt: at(minutes) },
  ])
const choose = (digest: string) => setPreferences(server.database, 'a', userId, { digest })
const inTenant: TestServer['database']['transaction'] = (_, work) =>
  server.database.transaction({ tenantId: 'a' }, work)
const listMails = async () =>
  inTenant({ tenantId: 'a' }, (db) => db.selectFrom('messages').selectAll().orderBy('created_at').execute())

beforeAll(async () => {
  server = await startTestServer()
  userId = await server.addUser('a')
  lines = await addLines(server.database, 'a', 3, 'north')
  await inTenant({ tenantId: 'a' }, (db) => db.updateTable('tenant_settings').set({ time_zone: ZONE }).execute())
})
beforeEach(async () => {
  await inTenant({ tenantId: 'a' }, async (db) => {
    for (const table of ['messages', 'status_intervals', 'notification_states', 'notification_digests'] as const)
      await db.deleteFrom(table).where('tenant_id', '=', 'a').execute()
  })
  const chosen = { by_email: true, status_changes: true, selected_line_ids: lines.map(({ lineId }) => lineId) }
  await setPreferences(server.database, 'a', userId, chosen)
  await send(0)
})
afterAll(() => server.close())

test('the next mail is at the full hour, or at 8:00 in the zone of the tenant, also when the clocks change', () => {
  expect(new Date(findDigestTime(START_MS, 'hourly', ZONE)).toISOString()).toBe('2026-11-10T20:00:00.000Z')
  expect(new Date(findDigestTime(START_MS, 'daily', ZONE)).toISOString()).toBe('2026-11-11T17:00:00.000Z')
  const beforeChange = Date.parse('2027-03-13T20:00:00Z')
  expect(new Date(findDigestTime(beforeChange, 'daily', ZONE)).toISOString()).toBe('2027-03-14T16:00:00.000Z')
  expect(findDigestTime(START_MS, 'at once', ZONE)).toBe(START_MS)
})

test('what happens within the hour is in one mail, also an outage that is over by then', async () => {
  await choose('hourly')
  await turn(0, 'offline', 1)
  await send(10)
  await turn(0, 'online', 12)
  await send(25)
  await turn(1, 'offline', 26)
  await send(49)
  expect(await listMails()).toEqual([])
  await send(50)
  const [mail, ...others] = await listMails()
  expect(others).toEqual([])
  expect(mail?.subject).toMatch(/^Nome 2 is offline since .*, and 2 more$/)
  for (const part of ['Nome 1 is offline', 'Nome 1 is back online', 'Nome 2 is offline', 'https://a.example/terminal/'])
    expect(mail?.text).toContain(part)
  await send(120)
  expect(await listMails()).toHaveLength(1)
})

test('nothing is lost when the choice changes, and nothing is sent to who turns mails off', async () => {
  await choose('daily')
  await turn(0, 'offline', 1)
  await send(10)
  await choose('at once')
  await send(11)
  expect((await listMails()).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Nome 1 is offline since [^,]+$/),
  ])
  await choose('daily')
  await turn(1, 'offline', 12)
  await send(30)
  await setPreferences(server.database, 'a', userId, { by_email: false })
  await send(31)
  await setPreferences(server.database, 'a', userId, { by_email: true, digest: 'at once' })
  await send(32)
  await send((24 * HOUR_MS) / 60_000)
  expect(await listMails()).toHaveLength(1)
})

test('a mail that waits to be sent says nothing of terminals that the user may no longer see', async () => {
  await choose('hourly')
  await turn(0, 'offline', 1)
  await turn(1, 'offline', 15)
  await send(20)
  await send(50)
  const [mail] = await listMails()
  const setGroup = (group_name: string) =>
    inTenant({ tenantId: 'a' }, (db) =>
      db
        .updateTable('service_lines')
        .set({ group_name })
        .where('id', '=', lines[0]?.lineId as number)
        .execute(),
    )
  await setGroup('south')
  const words = await inTenant({ tenantId: 'a' }, (db) =>
    createRevalidateNotice(server.services)(db, 'a', mail as never),
  )
  expect(words).toMatchObject({ subject: expect.stringMatching(/^Nome 2 is offline since [^,]+$/) })
  expect('text' in words && words.text).not.toContain('Nome 1 ')
  await setGroup('north')
})
