import { afterAll, describe, expect, test } from 'vitest'
import { listMigrationNames } from '#server/platform/database/migrate.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

const db = await createTestDatabase()
afterAll(() => db.close())

describe('migrate', () => {
  test('has nothing to do on an up-to-date database', async () => {
    expect(await runDishboard(['migrate'], buildEnvironment(db))).toEqual({
      code: 0,
      out: 'The database is up to date.\n',
      err: '',
    })
  })

  test('lists the migrations it applied, in order', async () => {
    const bare = await createTestDatabase({ template: 'template0' })
    const { code, out, err } = await runDishboard(['migrate'], buildEnvironment(bare))
    await bare.close()
    const names = await listMigrationNames()
    expect(names.length).toBeGreaterThan(10)
    const lines = [...names.map((name) => `Applied ${name}.`), 'The database is up to date.', '']
    expect({ code, out, err }).toEqual({ code: 0, out: lines.join('\n'), err: '' })
  })
})

describe('reports a database it cannot use in one line, with exit code 1', () => {
  test.each([
    ['nothing listens', { DATABASE_URL: 'postgres://a@127.0.0.1:1/x' }, /nothing listens there/],
    ['there is no such database', { DATABASE_URL: 'no-such-database' }, /no such database/],
    ['a faulty configuration', { DATABASE_URL: 'mysql://x', PORT: 'high' }, /PORT .*; DATABASE_URL /],
    ['a superuser', { DATABASE_URL: 'superuser' }, /row-level security/],
  ])('%s', async (_, change, message) => {
    const given = buildEnvironment(db)
    const urls: Record<string, string> = {
      'no-such-database': given.DATABASE_URL.replace(/test_\w+/, 'test_none'),
      superuser: given.DATABASE_URL.replace('dishboard_app', 'postgres'),
    }
    const environment = { ...given, ...change, DATABASE_URL: urls[change.DATABASE_URL] ?? change.DATABASE_URL }
    const { code, out, err } = await runDishboard(['migrate'], environment)
    expect(err).toMatch(message)
    expect(err.trimEnd()).not.toContain('\n')
    expect({ code, out }).toEqual({ code: 1, out: '' })
  })
})
