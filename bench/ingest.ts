import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { pino } from 'pino'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { advanceTiers } from '#server/telemetry/advance-tiers.ts'
import { createFeed, type Feed } from '#server/telemetry/feed.ts'
import { createFeedHealth } from '#server/telemetry/feed-health.ts'
import { declareRealColumns, sampleColumns } from '#server/telemetry/measures.ts'
import { runPoller } from '#server/telemetry/poller.ts'
import type { Spool } from '#server/telemetry/spool.ts'
import { openTestSpool } from '#server/telemetry/testing/open-test-spool.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { vendorLimits } from '#server/vendor/queues.ts'
import { syncInventory } from '#server/vendor/sync-inventory.ts'
import { createStarlinkClient } from '#starlink/client.ts'
import { parseTelemetry } from '#starlink/telemetry.ts'
import { type Connections, withDatabase } from './database.ts'
import type { Figure } from './figures.ts'
import { recordTelemetry } from './recorded-telemetry.ts'
import { startReplayedVendor } from './replayed-vendor.ts'

const TENANT = 'bench'
const TERMINALS = 2_000
const BATCHES = 6
const ROUNDS = 3

const measureSeconds = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

const textRow = (sample: ReturnType<typeof parseTelemetry>['terminals'][number]) =>
  [
    TENANT,
    sample.deviceId,
    new Date(sample.atMs).toISOString(),
    ...sample.values,
    sample.uptimeS,
    sample.alerts.length === 0 ? null : `{${sample.alerts.join(',')}}`,
  ]
    .map((value) => (value === null || Number.isNaN(value) ? '\\N' : value))
    .join('\t')

/** The baseline of what the machine can do: copies the same rows, as prepared text, into a table without an index. */
const copyRaw = async (owner: pg.PoolConfig, bodies: readonly string[]) => {
  const client = new pg.Client(owner)
  await client.connect()
  await client.query(`create table raw_copy (tenant_id text, device_id text, at timestamptz,
    ${declareRealColumns(sampleColumns)}, uptime_s integer, alerts text[])`)
  const chunks = bodies.map((body) => Buffer.from(`${parseTelemetry(body).terminals.map(textRow).join('\n')}\n`))
  const seconds = await measureSeconds(() =>
    pipeline(Readable.from(chunks), client.query(copyFrom('copy raw_copy from stdin'))),
  )
  const { rows } = await client.query('select count(*)::int as samples from raw_copy')
  await client.query('drop table raw_copy')
  await client.end()
  return { seconds, samples: rows[0].samples as number }
}

interface Scope {
  tenantId: string
  spool: Spool
  credentialId: number
  database: Database
  now: () => number
}

// In one round trip, so that polling does not slow down what is measured.
const countApplied = async ({ database, tenantId }: Scope) => {
  const [row] = await database.readInOneRoundTrip(
    { tenantId },
    'bench_count_applied',
    sql<{ applied: number }>`
      select count(*)::int as applied from telemetry_batches where kind = 'stream' and applied_at is not null`,
  )
  return row?.applied ?? 0
}

/** The position of the write-ahead log, in bytes. */
const readWalBytes = async ({ outsideTenants }: Database) => {
  const { rows } = await sql<{ bytes: string }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`.execute(outsideTenants)
  return Number(rows[0]?.bytes)
}

/** Waits until everything the vendor has buffered is applied and every closed bucket is computed. */
const ingest = async (scope: Scope, feed: Feed, credential: Parameters<typeof createStarlinkClient>[0]) => {
  const { spool } = scope
  const before = await countApplied(scope)
  const stop = new AbortController()
  const client = createStarlinkClient({ ...credential, signal: stop.signal })
  const log = pino({ level: 'warn' })
  let running: Promise<void> | undefined
  const seconds = await measureSeconds(async () => {
    running = runPoller({
      feed,
      spool,
      client: { ...client, queryTelemetry: async () => JSON.stringify({ content: {} }) },
      limits: vendorLimits,
      report: createFeedHealth({ ...scope, ...feed, feed: 'telemetry', log }),
      stop: stop.signal,
    })
    while ((await countApplied(scope)) < before + BATCHES) await new Promise((resolve) => setTimeout(resolve, 10))
    await advanceTiers(feed)
  })
  stop.abort()
  await running
  return seconds
}

/** The real path: HTTP, storing and parsing the raw batch, samples, newest state, status edges, receipt, tiers. */
const measure = async ({ owner, runtime }: Connections): Promise<Figure[]> => {
  const log = pino({ level: 'warn' })
  const recording = await recordTelemetry({ terminals: TERMINALS, batches: ROUNDS * BATCHES })
  const admin = new pg.Client(owner)
  await admin.connect()
  await admin.query('insert into tenants (id) values ($1)', [TENANT])
  await admin.end()
  const database = openDatabase(runtime, () => {})
  const vendor = await startReplayedVendor()
  const credential = { tenantId: TENANT, clientId: 'bench', clientSecret: 'bench', ...vendor }
  const credentialId = await database.transaction({ tenantId: TENANT }, (db) =>
    connectVendor(db, deriveSecrets('bench'), credential),
  )
  const spool = await openTestSpool()
  const scope: Scope = { tenantId: TENANT, spool, credentialId, database, now: Date.now }
  await syncInventory({ ...scope, client: recording.client })
  const feed = createFeed({ ...scope, limits: vendorLimits, log })

  // Other work on the machine slows some rounds, so the best round of each side is compared.
  let rawPerSecond = 0
  let ingestPerSecond = 0
  let sent = 0
  let walBytes = 0
  for (let round = 0; round < ROUNDS; round++) {
    const bodies = recording.bodies.slice(round * BATCHES, (round + 1) * BATCHES)
    const raw = await copyRaw(owner, bodies)
    rawPerSecond = Math.max(rawPerSecond, raw.samples / raw.seconds)
    await vendor.offer(bodies)
    const walBefore = await readWalBytes(database)
    ingestPerSecond = Math.max(ingestPerSecond, raw.samples / (await ingest(scope, feed, credential)))
    walBytes += (await readWalBytes(database)) - walBefore
    sent += raw.samples
  }
  const { rows } = await database.transaction({ tenantId: TENANT }, (_, client) =>
    client.query('select (select count(*) from samples)::int as stored, (select sum(n) from tier_2min)::int as rolled'),
  )
  await database.close()
  await vendor.close()
  await recording.close()
  const { stored, rolled } = rows[0] as { stored: number; rolled: number }
  if (stored !== sent) throw new Error(`${sent} samples were sent, ${stored} are stored.`)
  if (rolled < 0.9 * sent) throw new Error(`Of ${sent} samples only ${rolled} are in the tiers.`)
  return [
    { name: 'raw text COPY into an unindexed table', value: rawPerSecond, unit: 'samples/s' },
    { name: 'the connector: HTTP, raw batch, samples, state, tiers', value: ingestPerSecond, unit: 'samples/s' },
    { name: 'ratio of the connector to raw COPY', value: ingestPerSecond / rawPerSecond, unit: '', atLeast: 0.15 },
    { name: 'write-ahead log, which a replica receives', value: walBytes / sent, unit: 'bytes a sample' },
  ]
}

export const measureIngest = () => withDatabase(measure)
