import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { sql } from 'kysely'
import type { TelemetryBatch } from '#starlink/telemetry-reader.ts'
import type { Db } from '../platform/database/database.ts'

export type BatchKind = 'stream' | 'newest'

export interface RawBatch {
  id: number
  kind: BatchKind
  receivedAt: Date
  body: string
  attempts: number
  /** The parsed body, if parsing has begun; undefined if the body is malformed. */
  parsed?: Promise<TelemetryBatch | undefined> | undefined
  /** More batches are queued behind it than one process should apply alone. */
  isBacklog?: boolean
}

/** A batch that was just stored, so that it is not read back from the database or parsed again. */
export interface PendingBatch {
  body: string
  parsed: Promise<TelemetryBatch | undefined>
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export const compressBody = (body: string | Buffer) => compress(body, fastest)

interface NewBatch {
  tenantId: string
  credentialId: number
  kind: BatchKind
  packedBody: Buffer
  receivedAt: Date
  /** Storing the same response again does nothing. */
  responseId?: string
}

/**
 * The vendor sends a batch once, so it is committed before its body is parsed. Returns the batch's id; undefined if the
 * response is already stored.
 */
export const storeRawBatch = async (db: Db, batch: NewBatch): Promise<number | undefined> => {
  const row = await db
    .insertInto('telemetry_batches')
    .values({
      tenant_id: batch.tenantId,
      credential_id: batch.credentialId,
      kind: batch.kind,
      received_at: batch.receivedAt,
      body: batch.packedBody,
      response_id: batch.responseId ?? null,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'response_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

// One batch is applied while the next arrives.
const BACKLOG = 3

/** Finds the oldest batch that is not applied yet. After a crash it is the same batch as before. */
export const findPendingBatch = async (
  db: Db,
  {
    tenantId,
    credentialId,
    pendingBatches,
  }: { tenantId: string; credentialId: number; pendingBatches: ReadonlyMap<number, PendingBatch> },
): Promise<RawBatch | undefined> => {
  const waiting = await db
    .selectFrom('telemetry_batches')
    .select(['id', 'kind', 'received_at', 'attempts'])
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .where('applied_at', 'is', null)
    .where('failed', 'is', null)
    .orderBy('id')
    .limit(BACKLOG)
    .execute()
  const [row] = waiting
  if (!row) return undefined
  const isBacklog = waiting.length === BACKLOG
  const { id, kind, received_at: receivedAt, attempts } = row
  const { body, parsed } = pendingBatches.get(id) ?? { body: await readBody(db, tenantId, id), parsed: undefined }
  return { id, kind: kind as BatchKind, receivedAt, attempts, body, parsed, isBacklog }
}

/** Finds a batch behind the one being applied, and locks it until the transaction ends. */
export const claimBatchAhead = async (
  db: Db,
  { tenantId, credentialId, except }: { tenantId: string; credentialId: number; except: readonly number[] },
): Promise<RawBatch | undefined> => {
  const row = await db
    .selectFrom('telemetry_batches')
    .select(['id', 'received_at', 'attempts', 'body'])
    .where('tenant_id', '=', tenantId)
    .where('credential_id', '=', credentialId)
    .where('kind', '=', 'stream')
    .where('applied_at', 'is', null)
    .where('failed', 'is', null)
    .where('samples_stored', '=', false)
    .where(sql<boolean>`id <> all(${except}::bigint[])`)
    .orderBy('id')
    .offset(1)
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!row?.body) return undefined
  const { id, received_at: receivedAt, attempts } = row
  return { id, kind: 'stream', receivedAt, attempts, body: (await decompress(row.body)).toString('utf8') }
}

export const recordStoredSamples = async (db: Db, tenantId: string, batchId: number): Promise<void> => {
  await db
    .updateTable('telemetry_batches')
    .set({ samples_stored: true })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', batchId)
    .execute()
}

const readBody = async (db: Db, tenantId: string, batchId: number) => {
  const { body } = await db
    .selectFrom('telemetry_batches')
    .select('body')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow()
  return body === null ? '' : (await decompress(body)).toString('utf8')
}

/** Only one transaction at a time writes a feed's status edges, even if two processes believe they hold the lease. */
export const lockFeed = async (db: Db, { tenantId, credentialId }: { tenantId: string; credentialId: number }) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`apply:${tenantId}:${credentialId}`}, 0))`.execute(db)
}

/** Undefined if the batch is applied. Otherwise only this transaction can apply it until it ends. */
export const claimBatch = async (
  db: Db,
  tenantId: string,
  batchId: number,
): Promise<{ areSamplesStored: boolean } | undefined> => {
  const row = await db
    .selectFrom('telemetry_batches')
    .select(['applied_at', 'samples_stored'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', batchId)
    .forUpdate()
    .executeTakeFirst()
  return row && row.applied_at === null ? { areSamplesStored: row.samples_stored } : undefined
}

export interface Receipt {
  terminalRows: number
  skippedRows: number
  firstSampleAt: Date | null
  lastSampleAt: Date | null
}

export const writeReceipt = async (db: Db, tenantId: string, batchId: number, receipt: Receipt): Promise<void> => {
  await db
    .updateTable('telemetry_batches')
    .set({
      applied_at: sql`clock_timestamp()`,
      body: null,
      failed: null,
      terminal_rows: receipt.terminalRows,
      skipped_rows: receipt.skippedRows,
      first_sample_at: receipt.firstSampleAt,
      last_sample_at: receipt.lastSampleAt,
    })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', batchId)
    .execute()
}

/** A response without rows leaves no receipt. */
export const dropBatch = async (db: Db, tenantId: string, batchId: number): Promise<void> => {
  await db.deleteFrom('telemetry_batches').where('tenant_id', '=', tenantId).where('id', '=', batchId).execute()
}

/** Counts a failed attempt. After the last one the batch is set aside with its body, so that it does not block the next. */
export const recordFailedAttempt = async (
  db: Db,
  { tenantId, batchId, reason, setAside }: { tenantId: string; batchId: number; reason: string; setAside: boolean },
): Promise<void> => {
  await db
    .updateTable('telemetry_batches')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), failed: setAside ? reason : null }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', batchId)
    .where('applied_at', 'is', null)
    .execute()
}
