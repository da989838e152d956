import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { type Database, type Db, openDatabase } from './database.ts'
import { isStorageFull, isUnavailable } from './errors.ts'

let own: TestDatabase
let database: Database
let admin: pg.Client
beforeAll(async () => {
  own = await createTestDatabase()
  database = own.database
  admin = new pg.Client(own.superuser)
  await admin.connect()
})
afterAll(async () => {
  await admin.end()
  await own.close()
})

const getBackendPid = async (db: Db) => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid as number
}

/** Returns when the connection is gone: the driver notices while it is idle. */
const cutOff = async (pid: number) => {
  await admin.query('select pg_terminate_backend($1, 5000)', [pid])
  await new Promise((resolve) => setImmediate(resolve))
}

const getError = async (work: Promise<unknown>) => {
  const fault = await work.then(
    () => undefined,
    (error: Error) => error,
  )
  if (!fault) throw new Error('It should have failed.')
  return fault
}

test('a connection that breaks in the middle of a transaction is a fault of that call only', async () => {
  const fault = await getError(
    database.transaction({ tenantId: 'a' }, async (db) => {
      await cutOff(await getBackendPid(db))
      await getBackendPid(db)
    }),
  )
  expect(isUnavailable(fault)).toBe(true)
  expect(await database.transaction({ tenantId: 'a' }, getBackendPid)).toBeGreaterThan(0)
})

test('a connection that breaks in the middle of a question outside tenants does not end the process', async () => {
  const fault = await getError(
    database.outsideTenants.connection().execute(async (db) => {
      await cutOff(await getBackendPid(db))
      await getBackendPid(db)
    }),
  )
  expect(isUnavailable(fault)).toBe(true)
  expect(await getBackendPid(database.outsideTenants)).toBeGreaterThan(0)
})

test('a statement that runs while its connection is cut off fails as out of reach', async () => {
  const fault = await getError(
    database.transaction({ tenantId: 'a' }, async (db) => {
      const pid = await getBackendPid(db)
      await Promise.all([sql`select pg_sleep(60)`.execute(db), cutOff(pid)])
    }),
  )
  expect(isUnavailable(fault)).toBe(true)
})

test('a database that is not there is out of reach', async () => {
  const nowhere = openDatabase({ host: '/nowhere', user: 'nobody', database: 'none' }, () => {})
  expect(isUnavailable(await getError(nowhere.outsideTenants.selectFrom('tenants').select('id').execute()))).toBe(true)
  await nowhere.close()
})

test('a fault of the question itself is not taken for one of the connection', async () => {
  const fault = await getError(database.transaction({ tenantId: 'a' }, (db) => sql`select 1 / 0`.execute(db)))
  expect([isUnavailable(fault), isStorageFull(fault)]).toEqual([false, false])
})

test('a transaction in which a failure was swallowed is not reported as done', async () => {
  const swallowing = database.transaction({ tenantId: 'a' }, async (db) => {
    await sql`select 1 / 0`.execute(db).catch(() => {})
  })
  await expect(swallowing).rejects.toThrow('undone')
})

test('while the disk is full, reads work and writes are refused with that reason', async () => {
  let isFull = true
  const guarded = openDatabase(
    own.runtime,
    () => {},
    () => isFull,
  )
  const write = () =>
    guarded.transaction({ tenantId: 'a' }, (db) =>
      sql`insert into audit_ends (tenant_id, seq, hash) values ('a', 0, '\\x00')`.execute(db),
    )
  expect(await guarded.transaction({ tenantId: 'a' }, getBackendPid)).toBeGreaterThan(0)
  expect(isStorageFull(await getError(write()))).toBe(true)
  isFull = false
  expect(isStorageFull(await getError(write()))).toBe(false)
  await guarded.close()
})
