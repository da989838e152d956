import { mkdir, mkdtemp, readFile as readBytes, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordAudit } from '../audit/record.ts'
import { verifyChain } from '../audit/verify.ts'
import { listMigrationNames } from '../platform/database/migrate.ts'
import { deriveSecrets } from '../platform/secrets.ts'
import { createTestDatabase, runOnce, type TestDatabase } from '../testing/database.ts'
import { OWN_LOCKS } from '../testing/own-locks.ts'
import { TELEMETRY } from './catalogue.ts'
import type { Header } from './header.ts'
import { restoreBackup } from './restore-backup.ts'
import { readReleasedRows } from './testing/released-rows.ts'
import { compareRows, readTables } from './testing/rows.ts'
import { addTwoTenants } from './testing/two-tenants.ts'
import { createArchive } from './write-archive.ts'
import { writeBackup } from './write-backup.ts'

const secrets = deriveSecrets('a key that is long enough for tests')

let folder: string
let source: TestDatabase
let whole: string
const targets: TestDatabase[] = []

const write = async (name: string, from = source, options: { withTelemetry?: boolean; brandDir?: string } = {}) => {
  const path = join(folder, name)
  await writeBackup(path, { owner: from.owner, secrets, version: '0.1.0', now: () => new Date(), ...options })
  return path
}
const restore = (path: string, into: TestDatabase, options: { brandDir?: string } = {}) =>
  restoreBackup(path, { owner: into.owner, runtimeRole: 'dishboard_app', secrets, ...options })

const emptyDatabase = async () => {
  const target = await createTestDatabase({ template: 'template0' })
  targets.push(target)
  return target
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dishboard-backup-'))
  source = await createTestDatabase()
  await addTwoTenants(source.superuser)
  whole = await write('whole')
})
afterEach(async () => {
  for (const target of targets.splice(0)) await target.close()
})
afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true, force: true })
})

test('restores every row of every tenant, with all protections in place', async () => {
  const target = await emptyDatabase()
  const { rows, hasSameKey } = await restore(whole, target)
  const before = await readTables(source.superuser)
  expect([...before.entries()].filter(([, lines]) => lines.length < 2).map(([table]) => table)).toEqual([])
  expect(compareRows(before, await readTables(target.superuser))).toEqual({ missing: 0, added: 0 })
  expect(rows).toBe([...before.values()].flat().length)
  expect(hasSameKey).toBe(true)
  const unsafe = await runOnce(
    target.superuser,
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'tenant_hosts'
       and not (c.relrowsecurity and c.relforcerowsecurity)`,
  )
  expect(unsafe).toEqual([])
  for (const tenantId of ['a', 'b'])
    await target.database.transaction({ tenantId }, async (db) => {
      expect(await verifyChain(db, tenantId)).toMatchObject({ entries: 5, fault: undefined })
      expect((await db.selectFrom('users').select('tenant_id').execute()).map((row) => row.tenant_id)).toEqual([
        tenantId,
      ])
      // New rows get ids that no restored row has.
      await db
        .insertInto('sms_consents')
        .values({
          tenant_id: tenantId,
          user_id: null,
          email: 'x@mail.example',
          text_version: '1',
          address: '127.0.0.1',
          user_agent: 'test',
          consented_at: new Date(),
        })
        .execute()
      await recordAudit(db, tenantId, new Date(), { performer: 'ada', action: 'pool.update', performee: 'six' })
      expect(await verifyChain(db, tenantId)).toMatchObject({ entries: 6, fault: undefined })
    })
})

test('refuses a truncated, altered or foreign file before changing anything', async () => {
  const target = await emptyDatabase()
  const bytes = await readBytes(whole)
  const bad = join(folder, 'bad')
  const places = [0, 0.1, 0.5, 0.9].map((part) => Math.floor(bytes.length * part))
  const nearTheEnd = [1, 2, 20, 32, 35, 40, 41, 44].map((fromEnd) => bytes.length - fromEnd)
  for (const place of [...places, ...nearTheEnd]) {
    await writeFile(bad, bytes.subarray(0, place))
    await expect(restore(bad, target), `cut at ${place}`).rejects.toThrow('not a whole backup')
    const altered = Buffer.from(bytes)
    altered.writeUInt8(altered.readUInt8(place) ^ 0x20, place)
    await writeFile(bad, altered)
    await expect(restore(bad, target), `altered at ${place}`).rejects.toThrow('not a whole backup')
  }
  await expect(restore(join(folder, 'nowhere'), target)).rejects.toThrow('cannot be read')
  expect(await runOnce(target.superuser, "select from pg_tables where schemaname = 'public'")).toEqual([])
})

const writeBackupFile = async (migrations: string[]) => {
  const path = join(folder, 'made')
  const archive = await createArchive(path)
  const header: Header = {
    product: 'dishboard',
    format: 3,
    version: '9.9.9',
    madeAt: '2030-01-01T00:00:00.000Z',
    keyCheck: '',
    migrations,
    tenants: [],
    partitions: [],
    hasTelemetry: true,
  }
  await archive.finish({ header, sections: [], files: [], sequences: [] })
  await archive.close()
  return path
}

test('refuses a backup of a newer version and a database that is not empty', async () => {
  const target = await emptyDatabase()
  const future = await writeBackupFile([...(await listMigrationNames()), '9999_future'])
  await expect(restore(future, target)).rejects.toThrow(
    'The backup was made by version 9.9.9, which is newer than this one.',
  )
  await runOnce(target.superuser, 'create table something (id int)')
  await expect(restore(whole, target)).rejects.toThrow('holds tables of something else')
  await expect(restore(whole, source)).rejects.toThrow('it holds the tenants a, b')
})

test('a failure at the very end leaves nothing behind, and the next attempt succeeds', async () => {
  const forged = await createTestDatabase()
  targets.push(forged)
  await addTwoTenants(forged.superuser)
  await runOnce(
    forged.superuser,
    "set session_replication_role = 'replica'; update audit_log set performer = 'eve' where tenant_id = 'b' and seq = 2",
  )
  const target = await emptyDatabase()
  await expect(restore(await write('forged', forged), target)).rejects.toThrow('The editing log of b was broken')
  expect([...(await readTables(target.superuser)).values()].flat()).toEqual([])
  expect(await runOnce(target.superuser, "select from pg_namespace where nspname = 'dishboard_restore'")).toEqual([])
  await restore(whole, target)
  expect(await runOnce(target.superuser, 'select id from tenants order by id')).toEqual([{ id: 'a' }, { id: 'b' }])
})

test('a backup during writes is consistent', async () => {
  let isDone = false
  let written = 0
  const writing = (async () => {
    while (!isDone) {
      written++
      await source.database.transaction({ tenantId: 'a' }, async (db) => {
        await db
          .insertInto('tickets')
          .values({
            tenant_id: 'a',
            name: 'During',
            email: 'x@mail.example',
            message: String(written),
            user_id: null,
            address: '127.0.0.1',
            created_at: new Date(),
          })
          .execute()
        await recordAudit(db, 'a', new Date(), { performer: 'ada', action: 'ticket.create', performee: `${written}` })
      })
    }
  })()
  await expect.poll(() => written).toBeGreaterThan(5)
  const path = await write('during')
  isDone = true
  await writing
  const target = await emptyDatabase()
  await restore(path, target)
  const [counts] = await runOnce(
    target.superuser,
    `select (select count(*)::int from tickets where name = 'During') as tickets,
       (select count(*)::int from audit_log where action = 'ticket.create') as entries`,
  )
  expect(counts.tickets).toBe(counts.entries)
  expect(counts.tickets).toBeGreaterThan(0)
})

test('brings the tenants’ images, and replaces none that is there', async () => {
  const [brandDir, restored] = [join(folder, 'brands'), join(folder, 'images')]
  const put = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  // Larger than a frame.
  const large = Buffer.alloc(3 * 1024 ** 2, 'image')
  await put(join(brandDir, 'a/logo.svg'), '<svg/>')
  await put(join(brandDir, 'a/harbour.jpg'), large)
  await put(join(brandDir, 'a/.hidden'), 'x')
  await put(join(brandDir, 'nobody/logo.svg'), 'of no tenant')
  await put(join(restored, 'a/logo.svg'), 'newer')
  const { brandFiles } = await restore(await write('with-brands', source, { brandDir }), await emptyDatabase(), {
    brandDir: restored,
  })
  expect(brandFiles).toBe(1)
  expect(await readdir(restored)).toEqual(['a'])
  expect((await readdir(join(restored, 'a'))).sort()).toEqual(['harbour.jpg', 'logo.svg'])
  expect((await readBytes(join(restored, 'a/harbour.jpg'))).equals(large)).toBe(true)
  expect(await readBytes(join(restored, 'a/logo.svg'), 'utf8')).toBe('newer')
})

test('restores nothing when an image cannot be written, and all of it the next time', async () => {
  const [brandDir, restored] = [join(folder, 'sources'), join(folder, 'full')]
  for (const tenant of ['a', 'b']) {
    await mkdir(join(brandDir, tenant), { recursive: true })
    await writeFile(join(brandDir, tenant, 'logo.svg'), '<svg/>')
  }
  const path = await write('with-images', source, { brandDir })
  const target = await emptyDatabase()
  await mkdir(join(restored, 'a'), { recursive: true })
  await writeFile(join(restored, 'b'), 'a file in place of a folder')
  await expect(restore(path, target, { brandDir: restored })).rejects.toThrow(
    'The tenants’ images cannot be written, so nothing was restored: ',
  )
  expect(await runOnce(target.superuser, 'select from tenants')).toHaveLength(0)
  expect(await readdir(join(restored, 'a'))).toEqual([])
  await rm(join(restored, 'b'))
  expect(await restore(path, target, { brandDir: restored })).toMatchObject({ brandFiles: 2 })
  expect(await runOnce(target.superuser, 'select from tenants')).toHaveLength(2)
  expect(await readdir(join(restored, 'b'))).toEqual(['logo.svg'])
})

test('leaves telemetry out where that is chosen, and nothing else', async () => {
  const target = await emptyDatabase()
  const { header } = await restore(await write('without-telemetry', source, { withTelemetry: false }), target)
  expect(header.hasTelemetry).toBe(false)
  const [before, after] = [await readTables(source.superuser), await readTables(target.superuser)]
  const missing = [...before.keys()].filter(
    (table) => (after.get(table)?.length ?? 0) < (before.get(table)?.length ?? 0),
  )
  expect(missing.sort()).toEqual([...TELEMETRY].sort())
})

test('the file has the rows that the database has', async () => {
  const empty = { ...(await emptyDatabase()), runtimeRole: 'dishboard_app' }
  const { expected, found } = await readReleasedRows(await write('rows'), source.superuser, empty)
  expect(expected.size).toBeGreaterThan(40)
  expect(compareRows(expected, found)).toEqual({ missing: 0, added: 0 })
})

test('reads a database of an older version tenant by tenant', async () => {
  const older = await createTestDatabase()
  targets.push(older)
  await addTwoTenants(older.superuser)
  await runOnce(
    older.superuser,
    `do $$ declare target regclass; begin
       for target in select polrelid from pg_policy where polname = 'tenants_all' loop
         execute format('drop policy tenants_all on %s', target);
       end loop;
     end $$`,
  )
  const target = await emptyDatabase()
  await restore(await write('older', older), target)
  expect(compareRows(await readTables(older.superuser), await readTables(target.superuser))).toEqual({
    missing: 0,
    added: 0,
  })
})

test('partitions are as the server makes them, with a table that a server has used before', async () => {
  const describePartitions = (db: TestDatabase) =>
    runOnce(
      db.superuser,
      `select c.relname, c.relowner::regrole::text as owner, c.reloptions, pg_get_expr(c.relpartbound, c.oid) as bound,
         array(select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = c.oid) as indexes,
         array(select k.conname || ' ' || pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid order by 1) as constraints,
         array(select p.polname from pg_policy p where p.polrelid = c.oid order by 1) as policies
       from pg_class c where c.relispartition and c.relkind = 'r' order by 1`,
    )
  const used = await createTestDatabase()
  targets.push(used)
  await runOnce(used.superuser, "select ensure_sample_partition((now() at time zone 'UTC')::date)")
  await restore(whole, used)
  const expected = await describePartitions(source)
  expect(expected.length).toBeGreaterThanOrEqual(5)
  expect(await describePartitions(used)).toEqual(expected)
})

test('while a backup reads, partitions can be created, and retention waits', async () => {
  const target = await createTestDatabase()
  targets.push(target)
  await addTwoTenants(target.superuser)
  await runOnce(target.superuser, "select ensure_sample_partition((now() at time zone 'UTC')::date - 10)")
  const runAsServer = async (call: string) =>
    (await target.database.pool.query(`select ${call} as result`)).rows[0].result
  const drop = () => runAsServer("drop_sample_partitions((now() at time zone 'UTC')::date - 2)")
  const holder = new pg.Client(target.superuser)
  await holder.connect()
  await holder.query('begin; lock table tickets in access exclusive mode')
  const writing = write('meanwhile', target)
  const countRead = async () => {
    const [row] = await runOnce(
      target.superuser,
      `select count(distinct relation)::int as partitions from ${OWN_LOCKS}
       join pg_inherits on inhrelid = relation where locktype = 'relation' and mode = 'AccessShareLock' and granted`,
    )
    return row.partitions
  }
  await expect.poll(countRead).toBeGreaterThanOrEqual(6)
  await runAsServer("ensure_sample_partition((now() at time zone 'UTC')::date + 1)")
  expect(await drop()).toBe(0)
  await holder.query('rollback')
  await holder.end()
  await writing
  expect(await drop()).toBe(1)
})
