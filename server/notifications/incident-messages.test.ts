import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { judgeUntil } from '../incidents/testing/judge-until.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { addLines, addTurns, sendUntil, setPreferences } from './testing/fleet.ts'

const MINUTE_MS = 60_000
const T = Date.now() - 6 * 60 * MINUTE_MS
const at = (minutes: number) => new Date(T + minutes * MINUTE_MS)

let server: TestServer
let north: { lineId: number; terminalId: number }[]
let south: typeof north
const preferences = {
  by_email: true,
  status_changes: true,
  time_zone: 'UTC',
  quiet_from_minute: 0,
  quiet_until_minute: 0,
  sms_daily_limit: 20,
}

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId: 'a' }, work)

beforeAll(async () => {
  server = await startTestServer()
  const admin = await server.addUser('a', { email: 'admin@a.example', role: 'admin' })
  const user = await server.addUser('a', { email: 'user@a.example', username: 'north' })
  north = await addLines(server.database, 'a', 4, 'north')
  south = await addLines(server.database, 'a', 36, 'south')
  await inTenant(async (db) => {
    await sql`update service_lines set latitude = 64.5, longitude = -165.4`.execute(db)
    await sql`insert into latest (tenant_id, terminal_id, at) select 'a', id, ${at(0)} from terminals`.execute(db)
  })
  const phone = { by_sms: true, phone_number: '+19075550101', phone_verified_at: new Date(0) }
  const select = (lines: typeof north) => ({ selected_line_ids: lines.map(({ lineId }) => lineId) })
  await setPreferences(server.database, 'a', admin, { ...preferences, ...phone, ...select([...north, ...south]) })
  await setPreferences(server.database, 'a', user, { ...preferences, ...select(north) })
  await turn('online', -600, [...north, ...south])
  await run(0)
})
afterAll(() => server.close())

const turn = (status: 'online' | 'offline', minutes: number, which: typeof north) =>
  addTurns(
    server.database,
    'a',
    which.map(({ terminalId }) => ({ terminalId, status, at: at(minutes), notedAt: at(minutes + 3) })),
  )

/** What the workers do up to this time: evaluate incidents, then notify users. */
const run = async (minutes: number) => {
  await judgeUntil(server.database, 'a', at(minutes))
  await sendUntil(server.database, 'a', at(minutes))
}

const list = async (recipient: string) =>
  (await inTenant((db) => db.selectFrom('messages').selectAll().orderBy('created_at').execute())).filter(
    (message) => message.recipient === recipient,
  )

const clock = (minutes: number) => at(minutes).toISOString().slice(11, 16)

test('an outage of 40 terminals is one message when it opens and one when it ends, to each what they may see', async () => {
  await turn('offline', 10, [...north, ...south])
  for (const minutes of [14, 16, 18, 20]) await run(minutes)
  await turn('online', 50, north)
  await run(60)
  await turn('online', 70, south)
  for (const minutes of [76, 80, 90]) await run(minutes)
  const [opening, ending, ...rest] = await list('admin@a.example')
  expect(rest).toEqual([])
  expect(opening?.subject).toBe(`Network outage around Nome: 40 terminals are offline since ${clock(10)} UTC`)
  expect(opening?.text).toContain('40 of 40 terminals within 10 km of Nome lost service at the same time.')
  expect(opening?.text).toContain('Nome 1: offline since')
  expect(opening?.text).toContain('and 30 more')
  expect(ending?.subject).toBe('Network outage around Nome ended: 40 terminals are back online after 1 h')
  expect(ending?.text).toContain('It lasted 1 h.')

  const mails = await list('user@a.example')
  expect(mails.map(({ subject }) => subject)).toEqual([
    `Network outage around Nome: 4 terminals are offline since ${clock(10)} UTC`,
    'Network outage around Nome ended: 4 terminals are back online after 40 min',
  ])
  for (const { text, html } of mails) expect(`${text}${html}`).not.toMatch(/\b(36|40) (of|terminals)/)

  const texts = (await list('+19075550101')).map(({ text }) => text)
  expect(texts).toHaveLength(2)
  const link = opening?.text.match(/https:\/\/a\.example\/incidents\/[\da-f-]{36}/)?.[0]
  expect(texts[0]).toBe(
    `Company a: Network outage around Nome: 40 terminals are offline since ${clock(10)} UTC. Nome 1, Nome 2, Nome 3 and 33 more. ${link} Reply STOP to opt out.`,
  )
  expect(opening?.html).toMatch(new RegExp(`<a [^>]*href="${link}"`))
})

test('a loss that is an incident of its own reads like a notice about the terminal, with the verdict', async () => {
  await turn('offline', 150, north.slice(0, 1))
  for (const minutes of [154, 170]) await run(minutes)
  const mail = (await list('user@a.example')).at(-1)
  expect(mail?.subject).toBe(`Nome 1 is offline since ${clock(150)} UTC`)
  expect(mail?.text).toContain('Possible power loss: Nome 1. Terminals nearby still work')
  await turn('online', 180, north.slice(0, 1))
  for (const minutes of [184, 200]) await run(minutes)
  expect((await list('user@a.example')).at(-1)?.text).toContain('It lasted 30 min.')
})

test('the rehearsal has the same messages', async () => {
  const { access } = await server.signIn('a', 'user@a.example')
  const body = {
    enableNotification: true,
    enableSmsNotification: false,
    statusChangeNotification: true,
    dataUsageNotification: false,
    warningNotification: false,
    quietFrom: '00:00',
    quietUntil: '00:00',
    smsDailyLimit: 20,
    timeZone: 'UTC',
    selectedTerminalList: north.map(({ lineId }) => lineId).join(),
  }
  const rehearsed = await server.call('a', 'POST', '/api/notification-rehearsal/', { token: access, body })
  expect(rehearsed.status).toBe(200)
  const sent = await list('user@a.example')
  expect(rehearsed.body.messages.map(({ subject }: { subject: string }) => subject)).toEqual(
    sent.map(({ subject }) => subject).reverse(),
  )
})
