import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { OWN_LOCKS } from '../../testing/own-locks.ts'
import { type Database, type Db, forBackgroundWork, openDatabase } from './database.ts'

let base: TestDatabase

beforeAll(async () => {
  base = await createTestDatabase()
  const owner = openDatabase(base.superuser, () => {})
  for (const id of ['a', 'b'])
    await owner.transaction({ tenantId: id }, async (db) => {
      await sql`insert into tenants (id) values (${id})`.execute(db)
      await sql`insert into tenant_settings (tenant_id) values (${id})`.execute(db)
    })
  await owner.close()
})

afterAll(() => base.close())

const settings = 'select tenant_id from tenant_settings order by tenant_id'

const ways = {
  'at once': (tenantId: string, text: string) =>
    base.database.readInOneRoundTrip<{ tenant_id: string }>({ tenantId }, text, sql.raw(text)),
  'by a reader': (tenantId: string, text: string) =>
    base.database.reader({ tenantId })<{ tenant_id: string }>({ name: text, text, values: [] }),
}

for (const [way, read] of Object.entries(ways)) {
  test(`${way}: readers that share connections each see their own tenant only`, async () => {
    const tenantIds = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'a' : 'b'))
    const seen = await Promise.all(tenantIds.map((tenantId) => read(tenantId, settings)))
    expect(seen).toEqual(tenantIds.map((tenant_id) => [{ tenant_id }]))
  })

  test(`${way}: a statement that fails leaves the connections fit for others and shows them nothing`, async () => {
    const failures = await Promise.allSettled(Array.from({ length: 12 }, () => read('a', 'select 1 / 0')))
    expect(failures.map(({ status }) => status)).toEqual(Array(12).fill('rejected'))
    const seen = await Promise.all([read('b', settings), read('a', settings)])
    expect(seen).toEqual([[{ tenant_id: 'b' }], [{ tenant_id: 'a' }]])
  })
}

test('a reader cannot write', async () => {
  const text = "update tenant_settings set tenant_id = 'a' returning tenant_id"
  await expect(base.database.reader({ tenantId: 'a' })({ name: 'write', text, values: [] })).rejects.toThrow(
    'read-only',
  )
})

test('a read that could not be prepared is prepared when it can be', async () => {
  const database = openDatabase({ ...base.runtime, max: 1 }, () => {})
  const read = () =>
    database.reader({ tenantId: 'a' })({ name: 'later', text: 'select 1 as value from later', values: [] })
  await expect(read()).rejects.toThrow('relation "later" does not exist')
  const owner = openDatabase(base.superuser, () => {})
  await sql`create table later as select 1 as id`.execute(owner.outsideTenants)
  await sql`grant select on later to dishboard_runtime`.execute(owner.outsideTenants)
  expect(await read()).toEqual([{ value: 1 }])
  expect(await read()).toEqual([{ value: 1 }])
  await owner.close()
  await database.close()
})

/** Two transactions that take two locks in opposite order and so deadlock. */
const runCrossed = async (onTry: (one: 0 | 1) => void) => {
  const ready = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  const lock = (db: Db, key: number) => sql`select pg_advisory_xact_lock(${key})`.execute(db)
  const run = (self: 0 | 1) =>
    base.database.transaction({ tenantId: 'a' }, async (db) => {
      onTry(self)
      await lock(db, self)
      ready[self].resolve()
      await ready[1 - self]?.promise
      await lock(db, 1 - self)
      return self
    })
  return Promise.all([run(0), run(1)])
}

test('a transaction that loses a deadlock runs again', async () => {
  const tries = [0, 0]
  await expect(
    runCrossed((one) => {
      tries[one] = (tries[one] ?? 0) + 1
    }),
  ).resolves.toEqual([0, 1])
  expect(tries.toSorted()).toEqual([1, 2])
})

test('a transaction that always loses ends with its error after a few tries', async () => {
  let tries = 0
  const losing = base.database.transaction({ tenantId: 'a' }, async (db) => {
    tries++
    await sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`.execute(db)
  })
  await expect(losing).rejects.toThrow('lost')
  expect(tries).toBe(4)
  await expect(base.database.transaction({ tenantId: 'a' }, async () => 'fit')).resolves.toBe('fit')
})

test('a read-only transaction cannot write', async () => {
  const write = (db: Db) => sql`update tenant_settings set tenant_id = 'a'`.execute(db)
  await expect(base.database.transaction({ tenantId: 'a' }, write, { isReadOnly: true })).rejects.toThrow('read-only')
})

test('a statement of background work may take longer than one that a user waits for', async () => {
  const database = openDatabase(base.runtime, () => {})
  const readTimeout = (each: Database) =>
    each.transaction({ tenantId: 'a' }, async (_, client) => (await client.query('show statement_timeout')).rows[0])
  expect(await readTimeout(database)).toEqual({ statement_timeout: '1min' })
  expect(await readTimeout(forBackgroundWork(database))).toEqual({ statement_timeout: '30min' })
  expect(await readTimeout(database)).toEqual({ statement_timeout: '1min' })
  await database.close()
})

test('a statement that is stuck ends when the database is closed', async () => {
  const owner = openDatabase(base.superuser, () => {})
  const database = openDatabase(base.runtime, () => {})
  await owner.transaction({ tenantId: 'a' }, async (db) => {
    await sql`lock table tenant_settings`.execute(db)
    const stuck = [
      database.transaction({ tenantId: 'a' }, (inner) => sql.raw(settings).execute(inner)),
      database.readInOneRoundTrip({ tenantId: 'a' }, 'stuck', sql.raw<object>(settings)),
    ].map((reading) =>
      reading.then(
        () => 'read',
        () => 'ended',
      ),
    )
    const countWaiting = async () =>
      (await sql`select from ${sql.raw(OWN_LOCKS)} where not granted`.execute(owner.outsideTenants)).rows.length
    await expect.poll(countWaiting).toBe(2)
    await database.close()
    expect(await Promise.all(stuck)).toEqual(['ended', 'ended'])
  })
  await owner.close()
})
