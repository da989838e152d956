import { once } from 'node:events'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createLeadership, type Term } from './leadership.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

test('one leads at a time; another follows when the first lets go', async () => {
  const first = createLeadership(db.runtime)
  const second = createLeadership(db.runtime)
  const term = (await first.tryLead('alpha:1')) as Term
  expect(await second.tryLead('alpha:1')).toBeNull()
  expect(await first.tryLead('alpha:1')).toBeNull()
  expect(await second.tryLead('beta:1')).not.toBeNull()
  await term.release()
  expect(await second.tryLead('alpha:1')).not.toBeNull()
  await first.close()
  await second.close()
})

test('who loses the connection hears of it, and can lead again', async () => {
  const leadership = createLeadership({ ...db.runtime, application_name: 'doomed' })
  const term = (await leadership.tryLead('alpha:1')) as Term
  const lost = once(term.lost, 'abort')
  const admin = new pg.Client(db.superuser)
  await admin.connect()
  await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'doomed'")
  await admin.end()
  await lost
  expect(await leadership.tryLead('alpha:1')).not.toBeNull()
  await leadership.close()
})
