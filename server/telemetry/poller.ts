import type { StarlinkClient } from '#starlink/client.ts'
import { parseTelemetryInTurns } from '#starlink/telemetry.ts'
import { MalformedTelemetry } from '#starlink/telemetry-layout.ts'
import { parseTelemetryQuery } from '#starlink/telemetry-query.ts'
import { isStorageFull, isUnavailable } from '../platform/database/errors.ts'
import { backoffMs, createWake, pause } from '../platform/worker/pause.ts'
import { runRollups } from './advance-tiers.ts'
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
import { ClockBehind } from './received-time.ts'
import type { Receiving, Spool } from './spool.ts'
import { sweepSilent } from './sweep.ts'

export interface PollerLimits {
  batchSize: number
  lingerMs: number
  /** The pause after a small response: immediate responses must not exhaust the request budget. */
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
  spool: Spool
  client: Pick<StarlinkClient, 'streamTelemetry' | 'queryTelemetry'>
  limits: PollerLimits
  report: FeedHealth
  /** Sends no more requests. The response to a request in flight is still stored. */
  stop: AbortSignal
}

// No row is shorter than this, so a smaller response cannot have been a full batch.
const MIN_ROW_BYTES = 40

/** Fetches, stores, ingests and rolls up telemetry until `stop` is aborted. */
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

// The vendor buffers telemetry for hours, so fetching far ahead of what we can ingest gains nothing.
const MAX_PENDING_BATCHES = 2
const LONGEST_WAIT_MS = 30_000

const fetchLoop = async (options: Options, stored: Wake, ingested: Wake) => {
  const { feed, spool, client, limits, report, stop } = options
  let failures = 0
  while (!stop.aborted) {
    const requestedMs = feed.now()
    let receiving: Receiving | undefined
    try {
      await spool.untilReady(feed, stop)
      if (stop.aborted) return
      if (await isFirstPoll(feed)) {
        await storeNewest(options)
        stored.wake()
      }
      const body = await client.streamTelemetry({
        batchSize: limits.batchSize,
        maxLingerMs: limits.lingerMs,
        onResponse: () => {
          receiving?.discard()
          receiving = spool.receive(feed, { receivedAt: new Date(feed.now()) })
          return receiving.write
        },
      })
      await storeResponse(options, receiving, body)
      stored.wake()
      failures = 0
      await report.succeeded({ alreadyRecorded: true })
      await waitForRoom(feed, ingested, stop)
      if (body.length < limits.batchSize * MIN_ROW_BYTES)
        await pause(Math.min(limits.pauseMs, requestedMs + limits.pauseMs - feed.now()), stop)
    } catch (error) {
      receiving?.discard()
      if (stop.aborted) return
      const retryInMs = backoffMs(++failures, limits.retryFirstMs, limits.retryLongestMs)
      await report.failed(error, { retryInMs })
      await pause(retryInMs, stop)
    }
  }
}

/** A wake may precede the wait, so the queue's size is checked every time. */
const waitForRoom = async ({ pendingBatches }: Feed, ingested: Wake, stop: AbortSignal) => {
  const untilMs = performance.now() + LONGEST_WAIT_MS
  while (pendingBatches.size >= MAX_PENDING_BATCHES && performance.now() < untilMs && !stop.aborted)
    await ingested.wait(untilMs - performance.now(), stop)
}

/** Before the first batch, the newest values of each device are fetched, because silent devices are not in the stream. */
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

const storeNewest = async (options: Options) => {
  for (const body of await fetchNewest(options))
    await storeBatch(options.feed, 'newest', body, new Date(options.feed.now()))
}

/**
 * Terminals and routers in two responses, because those of a large account are large. The stream does not wait for them: the
 * vendor drops what is not read from it for hours.
 */
const fetchNewest = async ({ feed, client, stop }: Options) => {
  try {
    const terminals = await client.queryTelemetry({ includeRouters: false })
    return [terminals, await client.queryTelemetry({ includeUserTerminals: false })]
  } catch (error) {
    if (stop.aborted) throw error
    feed.log.error(
      { err: error },
      'The newest values of each device cannot be read. Devices that do not report have no data until they do.',
    )
    return []
  }
}

const STORE_RETRY_MS = 1_000
const STORE_TRIES_WHEN_STOPPING = 5

/**
 * The vendor sends a batch once. Once it is on disk, the spool stores it if this attempt fails. If the disk fails too, it
 * is held only in memory, and a restart before the database is back would lose it.
 */
const storeResponse = async ({ feed, spool, stop }: Options, arrived: Receiving | undefined, body: string) => {
  const { log } = feed
  let triesLeft = STORE_TRIES_WHEN_STOPPING
  let receiving = arrived
  const writeWhole = () => {
    const whole = spool.receive(feed, { receivedAt: receiving?.receivedAt ?? new Date(feed.now()), id: receiving?.id })
    whole.write(Buffer.from(body, 'utf8'))
    return whole
  }
  for (let tries = 1; ; tries++) {
    receiving = tries === 1 && receiving ? receiving : writeWhole()
    const { id, receivedAt } = receiving
    const spooled = await receiving.finish().catch((error: unknown) => {
      if (tries === 1) log.error({ err: error }, 'Telemetry cannot be written to the spool in DATA_DIR.')
      return undefined
    })
    try {
      await storeBatch(feed, 'stream', body, receivedAt, id)
      if (tries > 1) log.info({ tries }, 'The telemetry that was held in memory is stored.')
      if (spooled) await spool.remove(spooled)
      return
    } catch (error) {
      if (spooled) {
        log.error({ err: error }, 'Telemetry cannot be stored in the database now. It is on disk and will be stored.')
        return spool.leaveToDrain(spooled)
      }
      if (tries === 1)
        log.error(
          { err: error },
          'Telemetry can be written neither to disk nor to the database. It is held in memory and tried again every second.',
        )
      if (stop.aborted && --triesLeft === 0) {
        log.fatal(
          { err: error, bytes: body.length },
          'The process ends with telemetry that it could not store. It is lost.',
        )
        throw error
      }
      await pause(STORE_RETRY_MS, new AbortController().signal)
    }
  }
}

/** Commits a response. The ingest loop then finds it in memory and does not read it back. */
const storeBatch = async (feed: Feed, kind: BatchKind, body: string, receivedAt: Date, responseId?: string) => {
  const { tenantId, credentialId, database } = feed
  const packedBody = await compressBody(body)
  const stored = Promise.withResolvers<void>()
  let heldId: number | undefined
  try {
    await database.transaction({ tenantId }, async (db) => {
      // Left over from an attempt that lost a deadlock.
      if (heldId !== undefined) feed.pendingBatches.delete(heldId)
      const id = await storeRawBatch(db, { tenantId, credentialId, kind, packedBody, receivedAt, responseId })
      if (id === undefined || feed.pendingBatches.size >= MAX_PENDING_BATCHES) return
      // Before the commit, so that the ingest loop never has to read the batch back from the database.
      feed.pendingBatches.set(id, { body, parsed: stored.promise.then(() => tryParse(kind, body)) })
      heldId = id
    })
  } catch (error) {
    if (heldId !== undefined) feed.pendingBatches.delete(heldId)
    throw error
  } finally {
    // Even after a failure: the commit may have succeeded without a response, and the ingest loop would wait for this.
    stored.resolve()
  }
}

/** Parses while the database is busy with the previous batch. A malformed body is handled when the batch is ingested. */
const tryParse = async (kind: BatchKind, body: string) => {
  try {
    return kind === 'stream' ? await parseTelemetryInTurns(body) : parseTelemetryQuery(body)
  } catch {
    return undefined
  }
}

const IDLE_MS = 5_000

const ingestLoop = async (options: Options, stored: Wake, ingested: Wake) => {
  const { feed, limits, stop } = options
  const { tenantId, database, log } = feed
  let failing = false
  let sweptMs = 0
  while (!stop.aborted) {
    try {
      const raw = await database.transaction({ tenantId }, (db) => findPendingBatch(db, feed))
      feed.monitored.applyLagMs = raw ? feed.now() - raw.receivedAt.getTime() : 0
      if (raw) {
        if (raw.isBacklog) feed.requestHelp()
        await ingestOrSetAside(options, raw)
        feed.pendingBatches.delete(raw.id)
        ingested.wake()
        // Silence is measured in the feed's time, which only batches advance. Between them no terminal can go silent.
        // The clock may have been set back.
        if (Math.abs(feed.now() - sweptMs) >= limits.sweepEveryMs) {
          await sweepSilent(feed)
          sweptMs = feed.now()
        }
      } else await stored.wait(IDLE_MS, stop)
      if (failing) log.info('Telemetry is applied again.')
      failing = false
    } catch (error) {
      if (stop.aborted) return
      if (!failing) log.error({ err: error }, 'Telemetry cannot be applied. It is stored and will be retried.')
      failing = true
      await pause(limits.retryFirstMs, stop)
    }
  }
}

/** A batch that cannot be applied must neither block the next one nor be lost. */
const ingestOrSetAside = async ({ feed, limits, stop }: Options, raw: RawBatch) => {
  const { tenantId, database, log } = feed
  try {
    await ingestBatch(feed, raw)
  } catch (error) {
    // Not the batch's fault either: a stop cancels long statements.
    if (stop.aborted) throw error
    if (error instanceof ClockBehind) throw error
    // Not the batch's fault. On a full disk the failed attempt could still be recorded.
    if (error instanceof Error && (isStorageFull(error) || isUnavailable(error))) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const setAside = error instanceof MalformedTelemetry || raw.attempts + 1 >= limits.ingestAttempts
    // While the database is unavailable this fails too, so only faults of the batch itself are counted.
    await database.transaction({ tenantId }, (db) =>
      recordFailedAttempt(db, { tenantId, batchId: raw.id, reason, setAside }),
    )
    if (setAside) feed.monitor.totals.setAsideBatches++
    log.error({ err: error, batchId: raw.id, setAside }, 'A telemetry batch could not be applied.')
    await pause(backoffMs(raw.attempts + 1, limits.retryFirstMs, limits.retryLongestMs), stop)
  }
}
