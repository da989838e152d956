import { afterAll, beforeAll, expect, test } from 'vitest'
import { consume, perMinutes } from '../identity/rate-limits.ts'
import { queueMail } from '../messages/queue-mail.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { changeTenantSettings, lockTenantSettings } from '../tenants/tenant-settings.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { purgeExpired } from './purge-expired.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const DAY_MS = 86_400_000

const at = new Date('2026-06-01T00:00:00Z')
const installation = { ticketRetentionDays: 30, messageRetentionDays: 20, securityEventRetentionDays: 10 }

const addOneOfEach = (tenantId: string) =>
  server.database.transaction({ tenantId }, async (db) => {
    const ticket = { name: 'Some One', email: 'someone@mail.example', message: 'Help', address: '127.0.0.1' }
    await db
      .insertInto('tickets')
      .values({ tenant_id: tenantId, ...ticket, created_at: at })
      .execute()
    await queueMail(db, tenantId, { to: 'someone@mail.example', subject: 'Hello', text: 'Hello', html: 'Hello' })
    await db.updateTable('messages').set({ created_at: at }).execute()
    await recordSecurityEvent(db, tenantId, at, { kind: 'sign_in', account: 'someone@mail.example' })
  })

const listLeft = async (tenantId: string, days: number) => {
  await purgeExpired(server.database, tenantId, new Date(at.getTime() + days * DAY_MS), installation)
  return server.database.transaction({ tenantId }, async (db) => {
    const left = []
    for (const table of ['tickets', 'messages', 'security_events'] as const)
      if (await db.selectFrom(table).select('id').executeTakeFirst()) left.push(table)
    return left
  })
}

test('tickets, messages and security events are retained as long as the operator has set', async () => {
  await addOneOfEach('a')
  expect(await listLeft('a', 10)).toEqual(['tickets', 'messages', 'security_events'])
  expect(await listLeft('a', 11)).toEqual(['tickets', 'messages'])
  expect(await listLeft('a', 21)).toEqual(['tickets'])
  expect(await listLeft('a', 31)).toEqual([])
})

test('a tenant with a retention of its own has that one', async () => {
  await addOneOfEach('b')
  await server.database.transaction({ tenantId: 'b' }, async (db) => {
    const change = { ticketRetentionDays: 15, securityEventRetentionDays: 40 }
    const by = { performer: 'test', now: new Date() }
    await changeTenantSettings(db, 'b', by, await lockTenantSettings(db, 'b'), change)
  })
  expect(await listLeft('b', 15)).toEqual(['tickets', 'messages', 'security_events'])
  expect(await listLeft('b', 16)).toEqual(['messages', 'security_events'])
  expect(await listLeft('b', 21)).toEqual(['security_events'])
  expect(await listLeft('b', 41)).toEqual([])
})

test('deletes what has expired in a tenant, and retains the rest', async () => {
  for (const tenantId of ['a', 'b']) {
    await server.addUser(tenantId)
    await server.signIn(tenantId)
    await server.database.transaction({ tenantId }, async (db) => {
      await consume(db, tenantId, [perMinutes('x', 1, 15)], new Date())
      const mail = { to: 'someone@mail.example', subject: 'Hello', text: 'Hello', html: 'Hello' }
      await queueMail(db, tenantId, mail)
    })
  }
  const count = async () => {
    const counts = []
    for (const tenantId of ['a', 'b'])
      for (const table of ['rate_limits', 'sessions', 'messages', 'security_events'] as const)
        counts.push(
          await server.database.transaction(
            { tenantId },
            async (db) => (await db.selectFrom(table).selectAll().execute()).length,
          ),
        )
    return counts
  }
  const { retention } = server.services.config
  const before = await count()
  for (const tenantId of ['a', 'b']) await purgeExpired(server.database, tenantId, new Date(), retention)
  expect(await count()).toEqual(before)
  const later = new Date(Date.now() + 366 * DAY_MS)
  for (const tenantId of ['a', 'b']) await purgeExpired(server.database, tenantId, later, retention)
  expect(await count()).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
})
