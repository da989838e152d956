import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareRows, readTables } from '#server/backup/testing/rows.ts'
import { addTwoTenants } from '#server/backup/testing/two-tenants.ts'
import { createTestDatabase, runOnce, type TestDatabase } from '#server/testing/database.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

let folder: string
let source: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dishboard-cli-'))
  source = await createTestDatabase()
  await addTwoTenants(source.superuser)
})
afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true, force: true })
})

test('a restore that is killed leaves no rows, and the next one completes it', async () => {
  const file = join(folder, 'whole.dishboard')
  expect(await runDishboard(['backup', file], buildEnvironment(source))).toMatchObject({ code: 0 })
  const target = await createTestDatabase()
  const holder = new pg.Client(target.superuser)
  await holder.connect()
  await holder.query('begin; lock table tickets in access exclusive mode')
  const child = spawn(process.execPath, [main, 'restore', file], {
    env: { PATH: process.env.PATH, ...buildEnvironment(target) },
    stdio: 'ignore',
  })
  const countStaged = async () =>
    (await runOnce(target.superuser, "select from pg_tables where schemaname = 'dishboard_restore'")).length
  // All partitions are loaded and committed, and the transaction for the rest waits for the lock.
  await expect.poll(countStaged).toBeGreaterThanOrEqual(5)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  await holder.end()
  expect([...(await readTables(target.superuser)).values()].flat()).toEqual([])
  expect(await countStaged()).toBeGreaterThanOrEqual(5)
  expect((await runDishboard(['doctor'], buildEnvironment(target))).out).toContain('warn restore: ')
  expect(await runDishboard(['restore', file, '--jobs', '3'], buildEnvironment(target))).toMatchObject({ code: 0 })
  expect(await countStaged()).toBe(0)
  const expected = await readTables(source.superuser)
  // A restore signs the end of each editing log again.
  expected.delete('audit_ends')
  expect(compareRows(expected, await readTables(target.superuser)).missing).toBe(0)
  await target.close()
})
