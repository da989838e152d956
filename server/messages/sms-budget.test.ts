import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { createDelivery } from './deliver.ts'
import { queueSms } from './queue-sms.ts'
import { getSmsBudget, setSmsBudget } from './sms-budget.ts'

let server: TestServer
let sent: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  server.clock.now = new Date('2026-11-20T12:00:00Z')
  await server.addUser('a', { email: 'admin@a.example', role: 'admin' })
})
afterAll(() => server.close())

const inTenant = <T>(tenantId: string, work: Parameters<typeof server.database.transaction<T>>[1]) =>
  server.database.transaction({ tenantId }, work)

const queue = (text: string, tenantId = 'a') =>
  inTenant(tenantId, async (db) => {
    const now = server.clock.now
    const expiresAt = new Date(now.getTime() + 3_600_000)
    const id = await queueSms(db, tenantId, { to: '+19075550101', text, notBefore: now, expiresAt })
    // The database dates messages by its own clock.
    await db.updateTable('messages').set({ created_at: now }).where('id', '=', id).execute()
  })

const deliver = (tenantId = 'a') =>
  createDelivery({
    database: server.database,
    secrets: server.services.secrets,
    transport: {
      channel: 'sms',
      send: async ({ text }) => {
        sent.push(text)
        return text === 'deferred once' && sent.filter((each) => each === text).length === 1
          ? { kind: 'deferred', reason: 'later' }
          : { kind: 'sent' }
      },
      close: () => {},
    },
    mailFrom: undefined,
    log: pino({ level: 'silent' }),
    now: () => server.clock.now,
  }).deliverDue(tenantId)

const listProblems = () =>
  inTenant('a', async (db) =>
    (await db.selectFrom('messages').select('last_error').where('state', '=', 'failed').execute()).map(
      ({ last_error }) => last_error,
    ),
  )
const listMails = () =>
  inTenant('a', (db) =>
    db.selectFrom('messages').select(['recipient', 'subject']).where('channel', '=', 'email').execute(),
  )

test('texts over the budget of the month are not sent, and administrators are mailed once', async () => {
  await inTenant('a', (db) => setSmsBudget(db, 'a', 3, server.clock.now))
  for (let number = 0; number < 7; number++) await queue(`text ${number}`)
  await queue('of b', 'b')
  await Promise.all([deliver(), deliver(), deliver('b')])
  expect(sent.filter((text) => text !== 'of b')).toHaveLength(3)
  expect(sent).toContain('of b')
  expect(await listProblems()).toEqual(Array(4).fill('The SMS budget of this month (3 texts) is used up.'))
  expect(await listMails()).toEqual([
    { recipient: 'admin@a.example', subject: 'The SMS budget of Company a is used up for this month' },
  ])
  expect(await inTenant('a', (db) => getSmsBudget(db, 'a', server.clock.now))).toEqual({ texts: 3, budget: 3 })
})

test('a larger budget and a new month send again, and a retry counts once', async () => {
  sent = []
  await inTenant('a', (db) => setSmsBudget(db, 'a', 4, server.clock.now))
  await queue('deferred once')
  await deliver()
  server.clock.now = new Date(server.clock.now.getTime() + 3_000_000)
  await deliver()
  expect(sent).toEqual(['deferred once', 'deferred once'])
  await queue('too much')
  await deliver()
  expect(sent).toHaveLength(2)
  expect(await listMails()).toHaveLength(2)
  server.clock.now = new Date('2026-12-01T00:00:00Z')
  await queue('of the next month')
  await deliver()
  expect(sent.at(-1)).toBe('of the next month')
})
