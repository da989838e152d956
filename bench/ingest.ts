import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { pino } from 'pino'
import { openDatabase } from '#server/db.ts'
import { secretsFrom } from '#server/secrets.ts'
import { createFeed } from '#server/telemetry/feed.ts'
import { runTelemetry } from '#server/telemetry/stream-loop.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { createFeedReport } from '#server/vendor/feed-report.ts'
import { vendorLimits } from '#server/vendor/run.ts'
import { syncInventory } from '#server/vendor/sync-inventory.ts'
import { createStarlinkClient } from '#starlink/client.ts'
import { parseTelemetry } from '#starlink/telemetry.ts'
import { type Connections, withDatabase } from './database.ts'
import type { Figure } from './figures.ts'
import { recordTelemetry } from './recorded-telemetry.ts'
import { startReplayedVendor } from './replayed-vendor.ts'

const TENANT = 'bench'
const TERMINALS = 2_000
const BATCHES = 8

const secondsOf = async (work: () => Promise<unknown>) => {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

const textRow = (sample: ReturnType<typeof parseTelemetry>['terminals'][number]) =>
  [
    TENANT,
    sample.deviceId,
    new Date(sample.atMs).toISOString(),
    sample.downlinkMbps,
    sample.uplinkMbps,
    sample.latencyMs,
    sample.pingDrop,
    sample.obstruction,
    sample.signalQuality,
    sample.uptimeS,
    sample.alerts.length === 0 ? null : `{${sample.alerts.join(',')}}`,
  ]
    .map((value) => value ?? '\\N')
    .join('\t')

/** The measure of what the machine can do: the same rows, as ready text, into a table without an index. */
const copyRaw = async (owner: pg.PoolConfig, bodies: readonly string[]) => {
  const client = new pg.Client(owner)
  await client.connect()
  await client.query(`create table raw_copy (tenant_id text, device_id text, at timestamptz, downlink_mbps real,
    uplink_mbps real, latency_ms real, ping_drop real, obstruction real, signal_quality real, uptime_s integer,
    alerts text[])`)
  const chunks = bodies.map((body) => Buffer.from(`${parseTelemetry(body).terminals.map(textRow).join('\n')}\n`))
  const seconds = await secondsOf(() =>
    pipeline(Readable.from(chunks), client.query(copyFrom('copy raw_copy from stdin'))),
  )
  const { rows } = await client.query('select count(*)::int as samples from raw_copy')
  await client.query('drop table raw_copy')
  await client.end()
  return { seconds, samples: rows[0].samples as number }
}

/** The real path: HTTP, raw batch stored, parsed, samples, newest state, status edges, receipt. */
const measure = async ({ owner, runtime }: Connections): Promise<Figure[]> => {
  const log = pino({ level: 'warn' })
  const recording = await recordTelemetry({ terminals: TERMINALS, batches: BATCHES })
  const raw = await copyRaw(owner, recording.bodies)

  const admin = new pg.Client(owner)
  await admin.connect()
  await admin.query('insert into tenants (id) values ($1)', [TENANT])
  await admin.end()
  const database = openDatabase(runtime, (error) => log.error(error))
  const vendor = await startReplayedVendor(recording.bodies)
  const now = () => Date.now()
  const credential = { tenantId: TENANT, clientId: 'bench', clientSecret: 'bench', ...vendor }
  const credentialId = await database.transaction({ tenantId: TENANT }, (db) =>
    connectVendor(db, secretsFrom('bench'), credential),
  )
  const scope = { tenantId: TENANT, credentialId, database, now }
  await syncInventory({ ...scope, client: recording.client })
  const feed = createFeed({ ...scope, limits: vendorLimits, log })
  const stop = new AbortController()
  const client = { ...recording.client, ...createStarlinkClient({ ...credential, signal: stop.signal }) }

  const isDone = async () => {
    const { rows } = await database.transaction({ tenantId: TENANT }, (_, connection) =>
      connection.query(
        "select count(*)::int as applied from telemetry_batches where kind = 'stream' and applied_at is not null",
      ),
    )
    return rows[0].applied >= BATCHES
  }
  const seconds = await secondsOf(async () => {
    const running = runTelemetry({
      feed,
      client: { ...client, queryTelemetry: async () => JSON.stringify({ content: {} }) },
      limits: vendorLimits,
      report: createFeedReport({ ...scope, feed: 'telemetry', log }),
      stop: stop.signal,
    })
    while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort()
    void running
  })
  const stored = await database.transaction({ tenantId: TENANT }, (_, connection) =>
    connection.query('select count(*)::int as samples from samples'),
  )
  await database.close()
  await vendor.close()
  await recording.close()
  const samples = stored.rows[0].samples as number
  if (samples !== raw.samples) throw new Error(`${raw.samples} samples were sent, ${samples} are stored.`)
  const rawPerSecond = raw.samples / raw.seconds
  const ingestPerSecond = samples / seconds
  return [
    { name: 'raw text COPY into an unindexed table', value: rawPerSecond, unit: 'samples/s' },
    { name: 'the connector: HTTP, raw batch, samples, newest state', value: ingestPerSecond, unit: 'samples/s' },
    { name: 'ratio of the connector to raw COPY', value: ingestPerSecond / rawPerSecond, unit: '', atLeast: 0.15 },
  ]
}

export const ingestFigures = () => withDatabase(measure)
