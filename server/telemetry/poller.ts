import type { StarlinkClient } from '#starlink/client.ts'
import { parseTelemetryInTurns } from '#starlink/telemetry.ts'
import { MalformedTelemetry } from '#starlink/telemetry-layout.ts'
import { parseTelemetryQuery } from '#starlink/telemetry-query.ts'
import { isStorageFull, isUnavailable } from '../platform/database/errors.ts'
import { backoffMs, createWake, pause } from '../platform/worker/pause.ts'
import type { Feed } from './feed.ts'
import type { FeedHealth } from './feed-health.ts'
import { ingestBatch } from './ingest-batch.ts'
import {
  type BatchKind,
  compressBody,
  findPendingBatch,
  type RawBatch,
  recordFailedAttempt,
  storeRawBatch,
} from './raw-batches.ts'
import { sweepSilent } from './sweep.ts'
import { runRollups } from './tier-loop.ts'

export interface PollerLimits {
  batchSize: number
  lingerMs: number
  /** Between two questions when the last answer was small: an answer that comes at once must not use up the budget. */
  pauseMs: number
  sweepEveryMs: number
  ingestAttempts: number
  retryFirstMs: number
  retryLongestMs: number
}

export const pollerLimits: PollerLimits = {
  batchSize: 65_000,
  lingerMs: 5_000,
  pauseMs: 1_000,
  sweepEveryMs: 5_000,
  ingestAttempts: 5,
  retryFirstMs: 1_000,
  retryLongestMs: 60_000,
}

interface Options {
  feed: Feed
  client: Pick<StarlinkClient, 'streamTelemetry' | 'queryTelemetry'>
  limits: PollerLimits
  report: FeedHealth
  /** Asks no more; what the vendor is answering is still stored. */
  stop: AbortSignal
}

// A row is never shorter than this, so a smaller answer cannot have been a full batch.
const MIN_ROW_BYTES = 40

/** Asks for telemetry, stores what comes, applies it and computes what it comes to, until it is told to stop. */
export const runPoller = async (options: Options): Promise<void> => {
  const stored = createWake()
  const ingested = createWake()
  await Promise.all([
    fetchLoop(options, stored, ingested),
    ingestLoop(options, stored, ingested),
    runRollups(options.feed, options.stop),
  ])
}

type Wake = ReturnType<typeof createWake>

// What the vendor holds it keeps for hours, so reading far ahead of what we can apply gains nothing.
const MAX_PENDING_BATCHES = 2
const LONGEST_WAIT_MS = 30_000

const fetchLoop = async ({ feed, client, limits, report, stop }: Options, stored: Wake, applied: Wake) => {
  let failures = 0
  while (!stop.aborted) {
    const requestedMs = feed.now()
    try {
      if (await isFirstPoll(feed)) {
        await storeResponse(feed, 'newest', await client.queryTelemetry(), stop)
        stored.wake()
      }
      const body = await client.streamTelemetry({ batchSize: limits.batchSize, maxLingerMs: limits.lingerMs })
      await storeResponse(feed, 'stream', body, stop)
      stored.wake()
      failures = 0
      await report.succeeded({ alreadyRecorded: true })
      await waitForRoom(feed, applied, stop)
      if (body.length < limits.batchSize * MIN_ROW_BYTES) await pause(requestedMs + limits.pauseMs - feed.now(), stop)
    } catch (error) {
      if (stop.aborted) return
      await report.failed(error)
      await pause(backoffMs(++failures, limits.retryFirstMs, limits.retryLongestMs), stop)
    }
  }
}

/** What is applied may have woken this loop before there was anything to wait for, so a wake alone tells nothing. */
const waitForRoom = async ({ pendingBatches }: Feed, applied: Wake, stop: AbortSignal) => {
  const untilMs = performance.now() + LONGEST_WAIT_MS
  while (pendingBatches.size >= MAX_PENDING_BATCHES && performance.now() < untilMs && !stop.aborted)
    await applied.wait(untilMs - performance.now(), stop)
}

/** Before the first batch the newest values of each device tell of those that are silent now. */
const isFirstPoll = async (feed: Feed) => {
  const { tenantId, credentialId, database } = feed
  if (feed.clock.getPresentMs() !== null) return false
  const batch = await database.transaction({ tenantId }, (db) =>
    db
      .selectFrom('telemetry_batches')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('credential_id', '=', credentialId)
      .limit(1)
      .executeTakeFirst(),
  )
  return batch === undefined
}

const STORE_RETRY_MS = 1_000
const STORE_TRIES_WHEN_STOPPING = 5

/** The vendor does not send this again: while the database is away the answer is held and storing is tried again. */
const storeResponse = async (feed: Feed, kind: BatchKind, body: string, stop: AbortSignal) => {
  const { tenantId, credentialId, database, log } = feed
  const receivedAt = new Date(feed.now())
  const packedBody = await compressBody(body)
  let triesLeft = STORE_TRIES_WHEN_STOPPING
  for (let tries = 1; ; tries++) {
    const stored = Promise.withResolvers<void>()
    let heldId: number | undefined
    try {
      await database.transaction({ tenantId }, async (db) => {
        const id = await storeRawBatch(db, { tenantId, credentialId, kind, packedBody, receivedAt })
        if (feed.pendingBatches.size >= MAX_PENDING_BATCHES) return
        // Before the commit: who finds the batch a moment later need not read it from the database.
        feed.pendingBatches.set(id, { body, parsed: stored.promise.then(() => tryParse(kind, body)) })
        heldId = id
      })
      if (tries > 1) log.info({ tries }, 'The telemetry that was held is stored.')
      return
    } catch (error) {
      if (heldId !== undefined) feed.pendingBatches.delete(heldId)
      if (tries === 1) log.error({ err: error }, 'Telemetry cannot be stored; it is held and tried again.')
      if (stop.aborted && --triesLeft === 0) throw error
      await pause(STORE_RETRY_MS, new AbortController().signal)
    } finally {
      // Also when it failed: a commit that was not answered may have happened, and then somebody may wait for this.
      stored.resolve()
    }
  }
}

/** Read while the database is busy with the batch before; what cannot be read is dealt with where it is applied. */
const tryParse = async (kind: BatchKind, body: string) => {
  try {
    return kind === 'stream' ? await parseTelemetryInTurns(body) : parseTelemetryQuery(body)
  } catch {
    return undefined
  }
}

const IDLE_MS = 5_000

const ingestLoop = async (options: Options, stored: Wake, applied: Wake) => {
  const { feed, limits, stop } = options
  const { tenantId, database, log } = feed
  let failing = false
  let sweptMs = 0
  while (!stop.aborted) {
    try {
      const raw = await database.transaction({ tenantId }, (db) => findPendingBatch(db, feed))
      if (raw) {
        await ingestOrSetAside(options, raw)
        feed.pendingBatches.delete(raw.id)
        applied.wake()
        // Silence is measured in the feed's time, which only batches move on: between them nobody can go silent.
        if (feed.now() - sweptMs >= limits.sweepEveryMs) {
          await sweepSilent(feed)
          sweptMs = feed.now()
        }
      } else await stored.wait(IDLE_MS, stop)
      if (failing) log.info('Telemetry is applied again.')
      failing = false
    } catch (error) {
      if (!failing) log.error({ err: error }, 'Telemetry cannot be applied now; what came is kept and tried again.')
      failing = true
      await pause(limits.retryFirstMs, stop)
    }
  }
}

/** A batch that cannot be applied must neither stand in the way of the next nor be lost. */
const ingestOrSetAside = async ({ feed, limits, stop }: Options, raw: RawBatch) => {
  const { tenantId, database, log } = feed
  try {
    await ingestBatch(feed, raw)
  } catch (error) {
    // No fault of the batch; on a full disk a failed attempt could still be counted.
    if (error instanceof Error && (isStorageFull(error) || isUnavailable(error))) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const setAside = error instanceof MalformedTelemetry || raw.attempts + 1 >= limits.ingestAttempts
    // While the database is away this fails too, so that only faults of the batch itself are counted.
    await database.transaction({ tenantId }, (db) =>
      recordFailedAttempt(db, { tenantId, batchId: raw.id, reason, setAside }),
    )
    log.error({ err: error, batchId: raw.id, setAside }, 'A telemetry batch could not be applied.')
    await pause(backoffMs(raw.attempts + 1, limits.retryFirstMs, limits.retryLongestMs), stop)
  }
}
