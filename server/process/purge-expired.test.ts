import { afterAll, beforeAll, expect, test } from 'vitest'
import { consume, perMinutes } from '../identity/rate-limits.ts'
import { queueMail } from '../messages/queue-mail.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { purgeExpired } from './purge-expired.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const DAY_MS = 86_400_000

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
  const before = await count()
  for (const tenantId of ['a', 'b']) await purgeExpired(server.database, tenantId, new Date())
  expect(await count()).toEqual(before)
  const later = new Date(Date.now() + 366 * DAY_MS)
  for (const tenantId of ['a', 'b']) await purgeExpired(server.database, tenantId, later)
  expect(await count()).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
})
