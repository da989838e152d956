import { sql } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import { parseTelemetry } from '#starlink/telemetry.ts'
import { msUntil } from './client.ts'
import { tenantIds } from './tenants.ts'
import type { VendorCall, VendorGate } from './vendor-gate.ts'

/** The newest batch of each tenant. More arrive while the proof compares. */
const findNewestBatches = async (database: Database) => {
  const newest = new Map<string, number>()
  for (const tenantId of tenantIds) {
    const row = await database.transaction({ tenantId }, (db) =>
      db.selectFrom('telemetry_batches').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst(),
    )
    newest.set(tenantId, row?.id ?? 0)
  }
  return newest
}

const countWaiting = async (database: Database, newest: ReadonlyMap<string, number>) => {
  let waiting = 0
  for (const [tenantId, id] of newest)
    waiting += await database.transaction({ tenantId }, async (db) => {
      const batches = db.selectFrom('telemetry_batches').select('id').where('applied_at', 'is', null)
      return (await batches.where('id', '<=', id).execute()).length
    })
  return waiting
}

const listSamples = async (database: Database) => {
  const held = new Set<string>()
  for (const tenantId of tenantIds) {
    const { rows } = await database.transaction({ tenantId }, (db) =>
      sql<{ device_id: string; at: Date }>`
        select terminal.device_id, sample.at from samples as sample
        join terminals as terminal on terminal.tenant_id = sample.tenant_id and terminal.id = sample.terminal_id`.execute(
        db,
      ),
    )
    for (const { device_id, at } of rows) held.add(`${device_id} ${at.getTime()}`)
  }
  return held
}

/** Complete buckets whose count differs from that of their samples. */
const countWrongBuckets = async (database: Database) => {
  let wrong = 0
  for (const tenantId of tenantIds) {
    const { rows } = await database.transaction({ tenantId }, (db) =>
      sql<{ wrong: number }>`
        select count(*)::int as wrong from tier_2min as bucket
        where not exists (select from dirty_buckets as dirty where dirty.at = bucket.at and dirty.tier = 'tier_2min')
          and bucket.n <> (
            select count(*) from samples as sample where sample.terminal_id = bucket.terminal_id
              and sample.at >= bucket.at and sample.at < bucket.at + interval '2 minutes')`.execute(db),
    )
    wrong += rows[0]?.wrong ?? 0
  }
  return wrong
}

/** Compares what the vendor delivered with what was stored. */
export const accountForTelemetry = async (database: Database, gate: VendorGate) => {
  const listResponded = () =>
    gate.streamCalls().filter(({ respondedMs, status }) => respondedMs !== undefined && status === 200)
  await msUntil(() => listResponded().length > 0)
  const calls = listResponded()
  // A worker requests the next response only after it has stored the previous one.
  const seen = gate.streamCalls().length
  const clientIds = new Set(calls.map(({ clientId }) => clientId))
  const haveAllRequested = () =>
    new Set(
      gate
        .streamCalls()
        .slice(seen)
        .map(({ clientId }) => clientId),
    ).size >= clientIds.size
  await msUntil(haveAllRequested)
  const newest = await findNewestBatches(database)
  await msUntil(async () => (await countWaiting(database, newest)) === 0)
  const held = await listSamples(database)
  const listRows = ({ body = '' }: VendorCall) => parseTelemetry(body).terminals
  const isHeld = ({ deviceId, atMs }: { deviceId: string; atMs: number }) => held.has(`${deviceId} ${atMs}`)
  const delivered = calls.flatMap(listRows)
  return {
    rows: delivered.length,
    lost: delivered.filter((row) => !isHeld(row)).length,
    waiting: await countWaiting(database, newest),
    wrongBuckets: await countWrongBuckets(database),
  }
}
