import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeUntil } from '../incidents/testing/judge-until.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { addLines, addTurns, sendUntil, setPreferences } from './testing/fleet.ts'

const MINUTE_MS = 60_000
const T = Date.now() - 3 * 60 * MINUTE_MS
const at = (minutes: number) => new Date(T + minutes * MINUTE_MS)

let server: TestServer
let lines: { lineId: number; terminalId: number }[]

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId: 'a' }, work)

beforeAll(async () => {
  server = await startTestServer()
  const admin = await server.addUser('a', { email: 'admin@a.example', role: 'admin' })
  const user = await server.addUser('a', { email: 'user@a.example', username: 'north' })
  const own = await addLines(server.database, 'a', 2, 'north')
  lines = [...own, ...(await addLines(server.database, 'a', 3, 'south'))]
  await inTenant(async (db) => {
    await sql`update service_lines set latitude = 64.5, longitude = -165.4`.execute(db)
    await sql`insert into latest (tenant_id, terminal_id, at) select 'a', id, ${at(0)} from terminals`.execute(db)
  })
  for (const [userId, selected] of [
    [admin, lines],
    [user, own],
  ] as const)
    await setPreferences(server.database, 'a', userId, {
      by_email: true,
      status_changes: true,
      time_zone: 'UTC',
      selected_line_ids: selected.map(({ lineId }) => lineId),
    })
  await turn('online', -600, lines)
  await sendUntil(server.database, 'a', at(0))
})
afterAll(() => server.close())

const turn = (status: 'online' | 'offline', minutes: number, which: typeof lines) =>
  addTurns(
    server.database,
    'a',
    which.map(({ terminalId }) => ({ terminalId, status, at: at(minutes), notedAt: at(minutes + 3) })),
  )

const judge = (minutes: number) => judgeUntil(server.database, 'a', at(minutes))

const readMails = async () => {
  const rows = await inTenant((db) =>
    db.selectFrom('messages').select(['recipient', 'text']).orderBy('recipient').execute(),
  )
  await inTenant((db) => db.deleteFrom('messages').execute())
  return new Map(rows.map(({ recipient, text }) => [recipient, text]))
}

test('a notification says why, with numbers of others for administrators only', async () => {
  await turn('offline', 10, lines.slice(0, 4))
  await judge(14)
  await sendUntil(server.database, 'a', at(30))
  const mails = await readMails()
  const verdict = 'Network outage around Nome. '
  expect(mails.get('admin@a.example')).toContain(`${verdict}4 of 5 terminals within 10 km of Nome lost service`)
  expect(mails.get('user@a.example')).toContain(
    `${verdict}2 terminals lost service at the same time as most others in the area. The network is at fault, not the dish. Nothing needs to be done at the dish.`,
  )
  await turn('online', 40, lines.slice(0, 4))
  await judge(44)
  await sendUntil(server.database, 'a', at(60))
  expect((await readMails()).get('user@a.example')).toContain('The network was at fault, not the dish.')
})

test('terminals of which nothing is known yet are reported without a verdict', async () => {
  await turn('offline', 70, lines.slice(0, 1))
  await sendUntil(server.database, 'a', at(90))
  const mail = (await readMails()).get('user@a.example')
  expect(mail).toContain('is offline')
  expect(mail).not.toContain('Possible')
})
