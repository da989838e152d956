import fc from 'fast-check'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDelivery } from '../messages/deliver.ts'
import { createMailTransport } from '../messages/smtp-transport.ts'
import { startMailServer } from '../testing/mail-server.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { findRecipient, listVisibleLines } from './audience.ts'
import { rehearse } from './rehearse.ts'
import { createRevalidateNotice } from './revalidate-notice.ts'
import { addLines, addTurns, sendUntil, setPreferences } from './testing/fleet.ts'

const MINUTE_MS = 60_000
const START = new Date('2026-11-10T20:00:00Z')
const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE_MS)

let server: TestServer
let user: number
let colleague: number
let lines: { lineId: number; terminalId: number }[]

beforeAll(async () => {
  server = await startTestServer()
  await inTenant((db) => db.updateTable('tenant_settings').set({ time_zone: 'America/Anchorage' }).execute())
  user = await server.addUser('a')
  colleague = await server.addUser('a', { email: 'admin@mail.example', role: 'admin' })
  await server.addUser('b')
  lines = await addLines(server.database, 'a', 500, 'north')
})
afterAll(() => server.close())

const inTenant = <T>(work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId: 'a' }, work)

const everything = () => ({
  time_zone: 'America/Anchorage',
  by_email: true,
  by_sms: true,
  phone_verified_at: new Date(0),
  phone_number: '+19075550101',
  status_changes: true,
  data_usage: true,
  selected_line_ids: lines.map(({ lineId }) => lineId),
})

beforeEach(async () => {
  await inTenant(async (db) => {
    for (const table of [
      'messages',
      'notification_states',
      'notification_settings',
      'status_intervals',
      'sms_stops',
    ] as const)
      await db.deleteFrom(table).execute()
  })
  await setPreferences(server.database, 'a', user, everything())
  await sendUntil(server.database, 'a', at(-1))
})

const list = (tenantId = 'a') =>
  server.database.transaction({ tenantId }, (db) =>
    db.selectFrom('messages').selectAll().orderBy('created_at').execute(),
  )
const terminal = (place = 0) => (lines[place] as { terminalId: number }).terminalId
const turn = (minutes: number, status: 'online' | 'offline', place = 0) => ({
  terminalId: terminal(place),
  status,
  at: at(minutes),
  notedAt: at(minutes + 3),
})

test('writes times in the zone that the user chose, or else in that of the tenant', async () => {
  await setPreferences(server.database, 'a', colleague, {
    ...everything(),
    by_sms: false,
    time_zone: 'Pacific/Auckland',
  })
  await sendUntil(server.database, 'a', at(-1))
  await addTurns(server.database, 'a', [turn(0, 'offline')])
  await sendUntil(server.database, 'a', at(30))
  const mails = (await list()).filter(({ channel }) => channel === 'email')
  expect(mails.map(({ recipient, subject }) => [recipient, subject]).sort()).toEqual([
    ['admin@mail.example', 'Nome 1 is offline since 09:00 GMT+13'],
    ['someone@mail.example', 'Nome 1 is offline since 11:00 AKST'],
  ])
})

test('sends each user one mail and one text about an outage of 500 lines in one region', async () => {
  await setPreferences(server.database, 'a', colleague, { ...everything(), phone_number: '+19075550102' })
  await sendUntil(server.database, 'a', at(-1))
  await addTurns(
    server.database,
    'a',
    lines.map((_, place) => turn(place / 600, 'offline', place)),
  )
  for (let minute = 0; minute < 20; minute++) await sendUntil(server.database, 'a', at(minute))
  const messages = await list()
  console.log(`500 lines, 2 users: ${messages.length} messages`)
  expect(messages.map(({ channel, recipient }) => `${channel} ${recipient}`).sort()).toEqual([
    'email admin@mail.example',
    'email someone@mail.example',
    'sms +19075550101',
    'sms +19075550102',
  ])
  expect(messages.find(({ channel }) => channel === 'email')?.subject).toBe(
    '500 terminals in Nome, AK are offline since 11:00 AKST',
  )
  expect(messages.find(({ channel }) => channel === 'sms')?.text).toMatch(
    /^Company a: 500 terminals .*Reply STOP to opt out\.$/,
  )
  expect(await list('b')).toEqual([])
})

test('reports one line and its recovery by name, in the brand of its tenant', async () => {
  await addTurns(server.database, 'a', [turn(0, 'offline')])
  await sendUntil(server.database, 'a', at(30))
  await addTurns(server.database, 'a', [turn(40, 'online')])
  await sendUntil(server.database, 'a', at(60))
  const mails = (await list()).filter(({ channel }) => channel === 'email')
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Nome 1 is offline since 11:00 AKST',
    'Nome 1 is back online since 11:40 AKST',
  ])
  expect(mails[0]?.html).toContain('Company a')
})

test('sends nothing about a line that the user may not see at the time of sending', async () => {
  await addTurns(server.database, 'a', [turn(0, 'offline', 0), turn(0, 'offline', 1)])
  await sendUntil(server.database, 'a', at(30))
  const moveLine = (place: number, group: string) =>
    inTenant((db) =>
      db
        .updateTable('service_lines')
        .set({ group_name: group })
        .where('id', '=', (lines[place] as { lineId: number }).lineId)
        .execute(),
    )
  await moveLine(1, 'south')
  const post = await startMailServer()
  const transport = createMailTransport(post.url, async () => undefined)
  const now = () => new Date(Date.now() + MINUTE_MS)
  const delivery = createDelivery({
    database: server.database,
    secrets: server.services.secrets,
    transport,
    mailFrom: 'portal@sender.example',
    log: pino({ level: 'silent' }),
    now,
    revalidate: createRevalidateNotice(server.services),
  })
  await delivery.deliverDue('a')
  expect(post.mails).toHaveLength(1)
  expect(post.mails[0]?.header('Subject')).toBe('Nome 1 is offline since 11:00 AKST')
  expect(post.mails[0]?.part('text/plain')).not.toContain('Nome 2')

  await addTurns(server.database, 'a', [turn(40, 'online', 0)])
  await sendUntil(server.database, 'a', at(70))
  await moveLine(0, 'south')
  await delivery.deliverDue('a')
  expect(post.mails).toHaveLength(1)
  expect((await list()).filter(({ channel, state }) => channel === 'email' && state === 'failed')).toHaveLength(1)
  await moveLine(0, 'north')
  await moveLine(1, 'north')
  transport.close()
  await post.close()
})

test('sends no text to a number that replied STOP, and still sends mail', async () => {
  await inTenant((db) =>
    db.insertInto('sms_stops').values({ tenant_id: 'a', phone_number: '+19075550101', stopped_at: START }).execute(),
  )
  await addTurns(server.database, 'a', [turn(0, 'offline')])
  await sendUntil(server.database, 'a', at(30))
  expect((await list()).map(({ channel }) => channel)).toEqual(['email'])
})

test('rehearses the same messages that were sent live, whatever happened', async () => {
  const few = lines.slice(0, 4)
  const anyTurn = fc.record({
    gap: fc.integer({ min: 1, max: 40 }),
    place: fc.nat(3),
    delay: fc.integer({ min: 0, max: 30 }),
    disabled: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTurn, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(700), { maxLength: 6 }),
      async (turns, runMinutes) => {
        await inTenant(async (db) => {
          for (const table of ['messages', 'notification_states', 'status_intervals'] as const)
            await db.deleteFrom(table).execute()
        })
        await setPreferences(server.database, 'a', user, {
          ...everything(),
          data_usage: false,
          sms_daily_limit: 2,
          selected_line_ids: few.map(({ lineId }) => lineId),
        })
        await sendUntil(server.database, 'a', at(-1))
        let minute = 0
        const status = new Map<number, 'online' | 'offline'>()
        for (const { gap, place, delay, disabled } of turns) {
          minute += gap
          const next = status.get(place) === 'offline' ? 'online' : 'offline'
          status.set(place, next)
          await addTurns(server.database, 'a', [
            { terminalId: terminal(place), status: next, disabled, at: at(minute), notedAt: at(minute + delay) },
          ])
        }
        for (const runMinute of [...runMinutes, 3000].sort((one, other) => one - other))
          await sendUntil(server.database, 'a', at(runMinute))
        const live = (await list()).map(({ channel, notice }) => ({
          channel,
          atMs: (notice as { atMs: number }).atMs,
          changes: (notice as { changes: object[] }).changes,
        }))
        const replayed = await inTenant(async (db) => {
          const recipient = await findRecipient(db, 'a', user)
          if (!recipient) throw new Error('The user is gone.')
          const visible = await listVisibleLines(db, 'a', recipient, recipient.selected_line_ids)
          return rehearse(db, 'a', recipient, visible, { after: at(-1), until: at(3000) })
        })
        const byTime = (one: { atMs: number; channel: string }, other: { atMs: number; channel: string }) =>
          one.atMs - other.atMs || one.channel.localeCompare(other.channel)
        const rehearsed = replayed.map(({ channel, notice }) => ({
          channel,
          atMs: notice.atMs,
          changes: notice.changes,
        }))
        expect(live.sort(byTime)).toEqual(rehearsed.sort(byTime))
      },
    ),
    { numRuns: 12 },
  )
})
