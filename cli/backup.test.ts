import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTwoTenants } from '#server/backup/testing/two-tenants.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

let folder: string
let source: TestDatabase
let target: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dishboard-cli-'))
  source = await createTestDatabase()
  target = await createTestDatabase({ template: 'template0' })
  await addTwoTenants(source.superuser)
})
afterAll(async () => {
  await source.close()
  await target.close()
  await rm(folder, { recursive: true, force: true })
})

test('writes a backup only its owner can read, and restores it into an empty database', async () => {
  const file = join(folder, 'all.dishboard')
  const backup = () => runDishboard(['backup', file], buildEnvironment(source))
  const restore = (environment = {}) => runDishboard(['restore', file], { ...buildEnvironment(target), ...environment })
  expect(await backup()).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^Wrote [\d,]+ rows and 0 brand files of 2 tenants to .*all\.dishboard\. Store SECRET_KEY separately\.\n$/,
    ),
    // Progress is printed only if it takes long.
    err: expect.not.stringContaining('dishboard:'),
  })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await backup()).toMatchObject({ code: 1, err: expect.stringContaining('exists already') })
  expect(await readdir(folder)).toEqual(['all.dishboard'])

  const { DATABASE_OWNER_URL: _, ...withoutOwner } = buildEnvironment(target)
  expect(await runDishboard(['restore', file], withoutOwner)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Set DATABASE_OWNER_URL too'),
  })
  expect(await restore({ SECRET_KEY: 'another key another key another key another key' })).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^Restored [\d,]+ rows and 0 brand files of 2 tenants, as of .*\nEach tenant’s editing log is intact\.\nThe backup was made with another SECRET_KEY: /,
    ),
  })
  const verify = ['audit', 'verify', '--tenant', 'b']
  expect(await runDishboard(verify, buildEnvironment(target))).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Intact: 5/),
  })
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining('it holds the tenants a, b') })
  await truncate(file, 1000)
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining('not a whole backup') })
})

test('does not write into the file of another backup that is being written', async () => {
  const file = join(folder, 'other.dishboard')
  await writeFile(`${file}.part`, 'of another one')
  expect(await runDishboard(['backup', file], buildEnvironment(source))).toMatchObject({
    code: 1,
    err: expect.stringContaining('another backup is being written, or one was interrupted'),
  })
  expect(await readFile(`${file}.part`, 'utf8')).toBe('of another one')
})

test('doctor names what an interrupted restore has left, and how to remove it', async () => {
  const readFinding = async () => {
    const { out } = await runDishboard(['doctor'], buildEnvironment(source))
    return out.split('\n').filter((line) => line.includes('restore'))
  }
  const client = new pg.Client(source.owner)
  await client.connect()
  await client.query('create schema dishboard_restore')
  await client.query(`create table dishboard_restore.samples_20261101 as select generate_series(1, 100000)`)
  const [finding, ...others] = await readFinding()
  expect(others).toEqual([])
  expect(finding).toMatch(
    /^warn restore: the schema dishboard_restore takes 3\.\d MB; a restore is running, or one was/,
  )
  const [, remedy] = /remove it as the owner of the database: (.*)\.$/.exec(finding as string) ?? []
  await client.query(remedy as string)
  await client.end()
  expect(await readFinding()).toEqual([])
})
