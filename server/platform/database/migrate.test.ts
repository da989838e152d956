import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { createDatabaseBefore } from '../../testing/database-before.ts'
import { compareSchema, migrate } from './migrate.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

test('a migrated database has nothing pending, and several migrators at once do no harm', async () => {
  expect(await compareSchema(db.database.outsideTenants)).toEqual({ missing: [], unknown: [] })
  const migrators = Array.from({ length: 4 }, () => migrate(db.owner, 'dishboard_app'))
  expect(await Promise.all(migrators)).toEqual([[], [], [], []])
})

test('the schema of the library that carried the jobs before is dropped with all that it holds', async () => {
  const older = await createDatabaseBefore('0070_jobs')
  try {
    // As pg-boss created it: by the owner, with the privileges of the runtime role.
    await older.client.query(`
      set role dishboard_owner;
      create schema pgboss;
      create type pgboss.job_state as enum ('created', 'active');
      create table pgboss.job (id bigint generated always as identity, name text, state pgboss.job_state) partition by list (name);
      create table pgboss.job_common partition of pgboss.job default;
      create function pgboss.create_queue(text) returns void language sql as '';
      insert into pgboss.job (name, state) values ('sync', 'active');
      grant usage on schema pgboss to dishboard_runtime;
      grant select on all tables in schema pgboss to dishboard_runtime;
      reset role`)
    expect(await older.migrate()).toEqual(['0070_jobs'])
    const { rows } = await older.client.query(
      "select to_regnamespace('pgboss') as schema, to_regclass('jobs')::text as jobs",
    )
    expect(rows).toEqual([{ schema: null, jobs: 'jobs' }])
  } finally {
    await older.close()
  }
})
