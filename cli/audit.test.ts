import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadAuditKeys } from '#server/audit/keys.ts'
import { recordAudit } from '#server/audit/record.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { buildEnvironment, runDishboard } from './testing/run-dishboard.ts'

let db: TestDatabase
let superuser: pg.Client
let folder: string

const verify = (...more: string[]) =>
  runDishboard(['audit', 'verify', '--tenant', 'acme', ...more], { ...buildEnvironment(db), DATA_DIR: folder })

beforeAll(async () => {
  db = await createTestDatabase()
  loadAuditKeys([buildEnvironment(db).SECRET_KEY])
  folder = await mkdtemp(join(tmpdir(), 'dishboard-audit-'))
  superuser = await db.connectSuperuser()
  await superuser.query("insert into tenants (id) values ('acme')")
})
afterAll(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})

const recordThree = () =>
  db.database.transaction({ tenantId: 'acme' }, async (tx) => {
    for (const performee of ['one', 'two', 'three'])
      await recordAudit(tx, 'acme', new Date(), { performer: 'ada', action: 'pool.update', performee })
  })

test('verifies the whole log and reports the first bad entry', async () => {
  expect(await verify()).toEqual({ code: 0, out: 'Intact: there are no entries yet.\n', err: '' })
  await recordThree()
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

test('exports a log that anybody verifies without database and key, and any change of the file is found', async () => {
  await superuser.query("delete from audit_log; delete from audit_ends; set session_replication_role = 'origin'")
  await recordThree()
  await recordThree()
  const path = join(folder, 'log.jsonl')
  const exported = await runDishboard(['audit', 'export', '--tenant', 'acme', path], buildEnvironment(db))
  const key = /: ([0-9a-f]{32})\n$/.exec(exported.out)?.[1] as string
  expect(exported).toMatchObject({ code: 0, err: '' })
  const verifyFile = (file: string, ...more: string[]) => runDishboard(['audit', 'verify', '--file', file, ...more])
  const result = await verifyFile(path, '--key', key)
  expect(result).toMatchObject({ code: 0, err: '' })
  expect(result.out).toMatch(new RegExp(`^Intact: 6 entries of acme, signed on \\S+Z with the key ${key}\\.\n$`))
  expect(await verifyFile(path, '--key', '0'.repeat(32))).toMatchObject({ code: 1 })

  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
  expect(lines).toHaveLength(8)
  const attacks: [string, string[], RegExp][] = [
    ['removed', lines.toSpliced(3, 1), /Entry 3 is missing/],
    ['reordered', lines.with(2, lines[3] as string).with(3, lines[2] as string), /Entry 2 is missing/],
    ['changed', lines.with(4, (lines[4] as string).replace('"ada"', '"eve"')), /Entry 4 was changed/],
    ['truncated', lines.slice(0, -2), /No signature covers entry 1/],
    ['without its end', lines.slice(0, -1), /No signature covers entry 1/],
    ['signed for less', lines.toSpliced(6, 1), /Entry 6 was signed, but the file has entry 5 there/],
  ]
  for (const [name, altered, problem] of attacks) {
    const file = join(folder, `${name}.jsonl`)
    await writeFile(file, altered.join('\n'))
    expect(await verifyFile(file), name).toMatchObject({ code: 1, out: expect.stringMatching(problem) })
  }
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
