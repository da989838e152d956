import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenToDatabase } from '../platform/database/listen.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { readConfig } from './config.ts'
import { createScheduledQueues } from './scheduled-jobs.ts'

let db: TestDatabase
let superuser: pg.Pool
beforeAll(async () => {
  db = await createTestDatabase()
  superuser = new pg.Pool({ ...db.superuser, max: 1 })
})
afterAll(async () => {
  await superuser.end()
  await db.close()
})

const dayName = (days: number) =>
  `samples_${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}`

const partitions = async () =>
  (
    await superuser.query(
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'samples'::regclass",
    )
  ).rows.map(({ name }) => name as string)

test('a process whose clock is years ahead drops no partition and deletes no rows that are to be retained', async () => {
  const tenantId = 'gamma'
  await superuser.query('insert into tenants (id) values ($1)', [tenantId])
  await superuser.query("select ensure_sample_partition((now() at time zone 'UTC')::date)")
  await superuser.query(
    `insert into security_events (tenant_id, kind, at, last_at, account, actor, address, network, device)
     values ($1, 'signed_in', now(), now(), 'someone@mail.example', '', '', '', '')`,
    [tenantId],
  )
  const queues = createScheduledQueues({
    database: db.database,
    log: pino({ level: 'silent' }),
    dataDir: tmpdir(),
    retention: readConfig({}).retention,
    now: () => new Date(Date.now() + 3 * 365 * 86_400_000),
  })
  for (const queue of ['partitions', 'purge'] as const)
    await queues[queue]?.run({ queue, tenantId, subject: '', fence: 1, failures: 0 }, new AbortController().signal)
  expect(await partitions()).toContain(dayName(0))
  const { rows } = await superuser.query('select from security_events where tenant_id = $1', [tenantId])
  expect(rows).toHaveLength(1)
})

test('creates tomorrow’s partition, and drops partitions and receipts past their retention', async () => {
  await superuser.query("select ensure_sample_partition((now() at time zone 'UTC')::date - 10)")
  for (const tenant of ['alpha', 'beta']) {
    await superuser.query('insert into tenants (id) values ($1)', [tenant])
    await superuser.query(
      `with credential as (
         insert into vendor_credentials (tenant_id, base_url, token_url, client_id, client_secret)
         values ($1, 'http://127.0.0.1/', 'http://127.0.0.1/', 'client', '\\x00') returning id)
       insert into telemetry_batches (tenant_id, credential_id, received_at, applied_at, body)
       select $1, id, now() - age, applied, body from credential, (values
         (interval '63 days', now(), null), (interval '1 day', now(), null), (interval '63 days', null, '\\x00'::bytea)
       ) as batch (age, applied, body)`,
      [tenant],
    )
  }
  const log = pino({ level: 'silent' })
  const now = () => new Date()
  const listener = listenToDatabase({ connection: db.runtime, log })
  const dataDir = await mkdtemp(join(tmpdir(), 'dishboard-jobs-'))
  const worker = startWorker({
    listener,
    log,
    now,
    queues: createScheduledQueues({ database: db.database, now, log, dataDir, retention: readConfig({}).retention }),
  })
  await expect.poll(partitions).toContain(dayName(1))
  await expect.poll(partitions).not.toContain(dayName(-10))
  const receipts = () =>
    superuser
      .query('select tenant_id, count(*)::int as retained from telemetry_batches group by 1 order by 1')
      .then(({ rows }) => rows)
  // Retained: the recent receipt, and the unapplied batch, whatever its age.
  await expect.poll(receipts).toEqual([
    { tenant_id: 'alpha', retained: 2 },
    { tenant_id: 'beta', retained: 2 },
  ])
  await worker.stop()
  await listener.close()
  await rm(dataDir, { recursive: true })
})
