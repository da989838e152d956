import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { sendDue } from './send-due.ts'
import { addLines, addTurns, sendUntil, setPreferences } from './testing/fleet.ts'

const START = new Date('2026-11-10T20:00:00Z')
const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000)
const MORE_IDS_THAN_PARAMETERS = 70_000

let server: TestServer
let lines: { lineId: number; terminalId: number }[]

beforeAll(async () => {
  server = await startTestServer()
  lines = await addLines(server.database, 'a', 2, 'north')
})
afterAll(() => server.close())

const subscribe = async (email: string, preferences: object) => {
  const userId = await server.addUser('a', { email })
  await setPreferences(server.database, 'a', userId, { by_email: true, status_changes: true, ...preferences })
  return userId
}

const listRecipients = async () => {
  const rows = await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.selectFrom('messages').select('recipient').orderBy('recipient').execute(),
  )
  return rows.map(({ recipient }) => recipient)
}

test('serves the other users when one user fails, and serves that user once the fault is gone', async () => {
  const selected_line_ids = lines.map(({ lineId }) => lineId)
  const failing = await subscribe('failing@mail.example', { selected_line_ids })
  await subscribe('served@mail.example', { selected_line_ids })
  const many = Array.from({ length: MORE_IDS_THAN_PARAMETERS }, (_, index) => 1_000_000 + index)
  await subscribe('many@mail.example', { selected_line_ids: [...selected_line_ids, ...many] })
  await sendUntil(server.database, 'a', at(-1))
  const setZone = (time_zone: string) => setPreferences(server.database, 'a', failing, { time_zone })
  await setZone('Nowhere/At_All')
  const terminalId = lines[0]?.terminalId as number
  await addTurns(server.database, 'a', [{ terminalId, status: 'offline', at: at(0), notedAt: at(3) }])
  const failures: object[] = []
  const log = { error: (about: object) => void failures.push(about) }
  const nextDueAt = await sendDue({
    database: server.database,
    tenantId: 'a',
    until: at(30),
    log,
    signal: new AbortController().signal,
  })
  expect(await listRecipients()).toEqual(['many@mail.example', 'served@mail.example'])
  expect(failures).toEqual([expect.objectContaining({ tenantId: 'a', userId: failing, channel: 'email' })])
  expect(nextDueAt).toEqual(at(31))
  await setZone('America/Anchorage')
  await sendUntil(server.database, 'a', at(31))
  expect(await listRecipients()).toEqual(['failing@mail.example', 'many@mail.example', 'served@mail.example'])
})

test('a run that is stopped begins with no other user, and the next one serves all of them', async () => {
  const before = await listRecipients()
  const selected_line_ids = [lines[1]?.lineId as number]
  for (const name of ['one', 'two']) await subscribe(`${name}@stopped.example`, { selected_line_ids })
  await sendUntil(server.database, 'a', at(40))
  const terminalId = lines[1]?.terminalId as number
  await addTurns(server.database, 'a', [{ terminalId, status: 'offline', at: at(41), notedAt: at(42) }])
  const log = { error: () => {} }
  const stopped = { database: server.database, tenantId: 'a', until: at(60), log, signal: AbortSignal.abort() }
  expect(await sendDue(stopped)).toEqual(at(60))
  expect(await listRecipients()).toEqual(before)
  await sendUntil(server.database, 'a', at(60))
  expect(await listRecipients()).toEqual(expect.arrayContaining(['one@stopped.example', 'two@stopped.example']))
})
