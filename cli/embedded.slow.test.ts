import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRunningPostgres } from '#server/platform/postgres/running.ts'
import { startPostgres } from '#server/platform/postgres/start-postgres.ts'
import { spawnDishboard } from './testing/run-dishboard.ts'

let folder: string
const dishboard = (args: string[]) => spawnDishboard(args, { DATA_DIR: folder })
const createTenant = (id: string) =>
  dishboard(['tenant', 'create', '--id', id, '--host', `${id}.example`, '--company', id])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dishboard-cli-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('doctor explains how to create a missing database and creates none', async () => {
  const { code, out } = await dishboard(['doctor'])
  expect(out).toMatch(/^warn database: .* holds no database yet\. Fix: run npm start/m)
  expect(code).toBe(0)
})

test('starts the embedded database if it is not running, and stops it afterward', async () => {
  expect(await createTenant('acme')).toMatchObject({ code: 0, err: '' })
  expect(findRunningPostgres(join(folder, 'postgres'))).toBeUndefined()
})

test('works beside a running server and leaves its database running', async () => {
  const server = await startPostgres({ dataDir: join(folder, 'postgres') })
  try {
    expect(await createTenant('acme')).toMatchObject({ code: 1, err: expect.stringContaining("tenant 'acme' already") })
    expect(await createTenant('borealis')).toMatchObject({ code: 0, err: '' })
    expect((await dishboard(['doctor'])).out).toMatch(/^ok {3}tenants: 2: acme, borealis/m)
    expect(findRunningPostgres(join(folder, 'postgres'))).toBeDefined()
  } finally {
    await server.stop()
  }
})
