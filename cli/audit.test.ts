import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordAudit } from '#server/audit/record.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

let db: TestDatabase
let superuser: pg.Client

const verify = (...more: string[]) =>
  runDishboard(['audit', 'verify', '--tenant', 'acme', ...more], buildEnvironment(db))

beforeAll(async () => {
  db = await createTestDatabase()
  superuser = new pg.Client(db.superuser)
  await superuser.connect()
  await superuser.query("insert into tenants (id) values ('acme')")
})
afterAll(async () => {
  await superuser.end()
  await db.close()
})

test('verifies the whole log and reports the first bad entry', async () => {
  expect(await verify()).toEqual({ code: 0, out: 'Intact: there are no entries yet.\n', err: '' })
  await db.database.transaction({ tenantId: 'acme' }, async (tx) => {
    for (const performee of ['one', 'two', 'three'])
      await recordAudit(tx, 'acme', new Date(), { performer: 'ada', action: 'thing.make', performee })
  })
  const intact = await verify()
  expect(intact).toMatchObject({ code: 0, err: '' })
  const head = /^Intact: 3 entries, up to (3:[0-9a-f]{64})\n$/.exec(intact.out)?.[1] as string
  expect(await verify('--head', head)).toMatchObject({ code: 0, out: intact.out })

  await superuser.query("set session_replication_role = 'replica'")
  await superuser.query('delete from audit_log where seq = 3')
  await superuser.query('update audit_ends set seq = 2, hash = (select hash from audit_log where seq = 2)')
  expect(await verify()).toMatchObject({ code: 0 })
  expect(await verify('--head', head)).toMatchObject({
    code: 1,
    out: 'Broken at entry 3. Entry 3 was cut off the end.\n',
  })
  await superuser.query("update audit_log set performer = 'eve' where seq = 1")
  expect(await verify()).toMatchObject({
    code: 1,
    out: 'Broken at entry 1. Entry 1 was changed after it was written.\n',
  })
})

test('refuses an unknown tenant and a malformed head', async () => {
  const args = ['audit', 'verify', '--tenant', 'nobody']
  expect(await runDishboard(args, buildEnvironment(db))).toMatchObject({
    code: 2,
    err: expect.stringMatching(/no tenant 'nobody'/),
  })
  expect(await verify('--head', '3')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--head: please enter the entry number and its hash/),
  })
})
