import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listenToDatabase } from '../platform/database/listen.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { readConfig } from '../process/config.ts'
import { createScheduledQueues } from '../process/scheduled-jobs.ts'
import { createTestDatabase, TEST_SECRET_KEY, type TestDatabase } from '../testing/database.ts'
import { adoptChains, anchorChain } from './anchor-chain.ts'
import { readAnchorFile } from './anchor-file.ts'
import { signAnchor } from './anchors.ts'
import { hashLink, type Link, NO_HASH } from './chain.ts'
import { type AuditKey, deriveAuditKey, loadAuditKeys } from './keys.ts'
import { recordAudit } from './record.ts'
import { verifyChain } from './verify.ts'

let fixture: TestDatabase
let owner: pg.Client
let dataDir: string

const evesKey = deriveAuditKey('the key of somebody who owns the database')

const record = async (count: number) => {
  for (let number = 1; number <= count; number++)
    await fixture.database.transaction({ tenantId: 'a' }, (db) =>
      recordAudit(db, 'a', new Date(), { performer: 'ada', action: 'pool.update', performee: `thing ${number}` }),
    )
}
const anchor = () => anchorChain(fixture.database, 'a', { now: new Date(), dataDir })

/** The findings on the machine with the anchor file, and on another machine with only the database. */
const verify = async () => {
  const anchors = await readAnchorFile(dataDir, 'a')
  const run = (given: typeof anchors) =>
    fixture.database.transaction({ tenantId: 'a' }, (db) => verifyChain(db, 'a', given))
  return { withFile: (await run(anchors)).fault?.problem, databaseOnly: (await run([])).fault?.problem }
}

interface Row extends Link {
  key_id: string | null
  seal: Buffer | null
}

const readRows = async (): Promise<Row[]> =>
  (await owner.query('select * from audit_log order by seq')).rows.map((row) => ({ ...row, seq: Number(row.seq) }))

/** Replaces the whole log with these entries, renumbered and rehashed as the program would do it. */
const rewrite = async (rows: Row[], seal: (row: Row, hash: Buffer) => Pick<Row, 'key_id' | 'seal'> = (row) => row) => {
  await owner.query('delete from audit_log; delete from audit_heads')
  let previous: Buffer = NO_HASH
  let seq = 0
  for (const row of rows) {
    const link = { ...row, seq: ++seq, details: row.details as never }
    const hash = hashLink(previous, link)
    const { key_id, seal: sealed } = seal(row, hash)
    await owner.query('insert into audit_log values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)', [
      'a',
      seq,
      row.at,
      row.performer,
      row.action,
      row.performee,
      row.details,
      previous,
      hash,
      key_id,
      sealed,
    ])
    previous = hash
  }
  await owner.query("update audit_ends set seq = $1, hash = $2 where tenant_id = 'a'", [seq, previous])
}
const withoutSeals = () => ({ key_id: null, seal: null })
const deleteAnchors = () => owner.query('delete from audit_anchors')

beforeAll(async () => {
  fixture = await createTestDatabase()
  // The owner of the tables can disable every protection in the database.
  owner = new pg.Client(fixture.owner)
  await owner.connect()
  for (const table of ['audit_log', 'audit_ends', 'audit_heads', 'audit_anchors', 'security_events'])
    await owner.query(`alter table ${table} no force row level security; alter table ${table} disable trigger user`)
  await owner.query("insert into tenants (id) values ('a')")
})
beforeEach(async () => {
  loadAuditKeys([TEST_SECRET_KEY])
  await owner.query('delete from audit_log; delete from audit_ends; delete from audit_heads; delete from audit_anchors')
  dataDir = await mkdtemp(join(tmpdir(), 'dishboard-attacks-'))
  await record(9)
  expect(await anchor()).toBeUndefined()
  return () => rm(dataDir, { recursive: true })
})
afterAll(async () => {
  await owner.end()
  await fixture.close()
})

test('a chain that nobody touched is intact, with and without the file', async () => {
  await record(3)
  expect(await verify()).toEqual({ withFile: undefined, databaseOnly: undefined })
})

test.each([
  ['removed', 5, (rows: Row[]) => rows.toSpliced(4, 1)],
  ['reordered', 3, (rows: Row[]) => rows.with(2, rows[6] as Row).with(6, rows[2] as Row)],
  ['changed', 4, (rows: Row[]) => rows.with(3, { ...(rows[3] as Row), performer: 'nobody' })],
  ['added', 6, (rows: Row[]) => rows.toSpliced(5, 0, { ...(rows[5] as Row), performer: 'eve' })],
])('entries that were %s, with all hashes computed anew, are found by their seals', async (_, seq, attack) => {
  await rewrite(attack(await readRows()))
  await deleteAnchors()
  const problem = `Entry ${seq} was not written by Dishboard: its seal is wrong.`
  expect(await verify()).toEqual({ withFile: problem, databaseOnly: problem })
})

test('122 of 232 entries that were removed are found', async () => {
  await record(223)
  await anchor()
  await rewrite((await readRows()).filter(({ seq }) => seq % 2 === 0 && seq <= 220))
  await deleteAnchors()
  expect(await verify()).toMatchObject({ databaseOnly: 'Entry 1 was not written by Dishboard: its seal is wrong.' })
})

test('a truncated tail is found by the signed anchor, and by the file when that is gone too', async () => {
  await rewrite((await readRows()).slice(0, 7))
  const problem = 'Entries 8 to 9 were cut off the end.'
  expect(await verify()).toEqual({ withFile: problem, databaseOnly: problem })
  await deleteAnchors()
  expect((await verify()).withFile).toBe(problem)
  await owner.query('delete from audit_log; delete from audit_ends')
  expect((await verify()).withFile).toBe('Entries 1 to 9 were cut off the end.')
})

test('a truncated tail is also found when new entries have taken its numbers, and nothing is signed any more', async () => {
  await rewrite((await readRows()).slice(0, 7))
  await record(3)
  expect((await anchor())?.problem).toBe('Entry 10 does not follow the entry before it.')
  await deleteAnchors()
  expect((await anchor())?.problem).toMatch(/rewritten/)
  expect((await verify()).withFile).toMatch(/entry 9 is not the one whose hash was recorded/)
})

test.each([
  ['without seals', withoutSeals],
  ['with seals of another key', (_: Row, hash: Buffer) => ({ key_id: evesKey.id, seal: evesKey.seal(hash) })],
])('a whole chain that was rewritten %s is found, and gets no signature', async (_, seal) => {
  const unsealed = 'Entry 1 has no valid seal, and no anchor covers it.'
  const rewritten = expect.stringMatching(/^Among the entries 1 to 9 some were rewritten/)
  await rewrite(
    (await readRows()).map((row) => ({ ...row, performer: 'nobody' })),
    seal,
  )
  expect(await verify()).toEqual({ withFile: rewritten, databaseOnly: rewritten })
  await deleteAnchors()
  expect(await verify()).toEqual({ withFile: rewritten, databaseOnly: unsealed })
  expect((await anchor())?.seq).toBe(1)
  await forgeAnchor(evesKey)
  expect((await verify()).databaseOnly).toBe(unsealed)
  await forgeAnchor({ ...evesKey, id: deriveAuditKey(TEST_SECRET_KEY).id })
  expect((await verify()).databaseOnly).toBe(unsealed)
})

const forgeAnchor = async (key: AuditKey) => {
  const { rows } = await owner.query('select seq, hash from audit_ends')
  const { at, keyId, signature } = signAnchor(key, { tenantId: 'a', ...rows[0], at: new Date() })
  await deleteAnchors()
  await owner.query('insert into audit_anchors values ($1, $2, $3, $4, $5, $6)', [
    'a',
    rows[0].seq,
    rows[0].hash,
    at,
    keyId,
    signature,
  ])
}

test('an anchor that was changed is found', async () => {
  await owner.query("update audit_anchors set hash = '\\x00'")
  expect((await verify()).databaseOnly).toBe('The anchor of entry 9 was changed after it was written.')
})

test('entries from before there were seals are intact once they were adopted, and only as they were then', async () => {
  await deleteAnchors()
  await rm(dataDir, { recursive: true })
  const rows = await readRows()
  await rewrite(rows, withoutSeals)
  expect((await verify()).databaseOnly).toBe('Entry 1 has no valid seal, and no anchor covers it.')
  expect(await adoptChains(fixture.database, { now: new Date(), dataDir })).toEqual([])
  await record(2)
  expect(await verify()).toEqual({ withFile: undefined, databaseOnly: undefined })
  const [first, ...others] = await readRows()
  await rewrite([{ ...(first as Row), performer: 'nobody' }, ...others])
  expect((await verify()).databaseOnly).toMatch(/^Among the entries 1 to 9 some were rewritten/)
})

test('a rotated key stays verifiable, and may be dropped once the new one has anchored', async () => {
  const before = await readRows()
  loadAuditKeys(['a new key that is long enough for tests', TEST_SECRET_KEY])
  await record(2)
  expect(await verify()).toEqual({ withFile: undefined, databaseOnly: undefined })
  expect(new Set((await readRows()).map(({ key_id }) => key_id)).size).toBe(2)

  loadAuditKeys(['a new key that is long enough for tests'])
  expect((await verify()).databaseOnly).toBe('Entry 1 has no valid seal, and no anchor covers it.')
  loadAuditKeys(['a new key that is long enough for tests', TEST_SECRET_KEY])
  expect(await anchor()).toBeUndefined()
  loadAuditKeys(['a new key that is long enough for tests'])
  expect(await verify()).toEqual({ withFile: undefined, databaseOnly: undefined })

  await rewrite([...before.slice(1), ...(await readRows()).slice(9)])
  expect((await verify()).databaseOnly).toMatch(/Entry 1 has no valid seal/)
})

test('a worker anchors an entry by itself, in the database, in the file and in the security events', async () => {
  const log = pino({ level: 'silent' })
  const listener = listenToDatabase({ connection: fixture.runtime, log })
  // A minute ahead: an entry is anchored some time after it was written.
  const now = () => new Date(Date.now() + 60_000)
  const queues = createScheduledQueues({
    database: fixture.database,
    now,
    dataDir,
    log,
    retention: readConfig({}).retention,
  })
  const worker = startWorker({ listener, log, now, queues: { 'audit-anchors': queues['audit-anchors'] as never } })
  await record(1)
  const listSeqs = async () => (await readAnchorFile(dataDir, 'a')).map(({ seq }) => seq)
  await expect.poll(listSeqs).toEqual([9, 10])
  await expect
    .poll(async () => (await owner.query('select seq::int from audit_anchors order by 1')).rows)
    .toEqual([{ seq: 9 }, { seq: 10 }])
  const { rows } = await owner.query("select details from security_events where kind = 'log_anchored' order by id desc")
  expect(rows[0].details).toMatchObject({ entry: 10, signature: expect.stringMatching(/=$/) })
  await worker.stop()
  await listener.close()
})
