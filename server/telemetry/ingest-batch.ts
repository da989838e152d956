import { parseTelemetry, parseTelemetryInTurns } from '#starlink/telemetry.ts'
import { MalformedTelemetry } from '#starlink/telemetry-layout.ts'
import { parseTelemetryQuery } from '#starlink/telemetry-query.ts'
import type { TelemetryBatch } from '#starlink/telemetry-reader.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import { type PublishedEvent, publishEvents } from '../platform/publish-events.ts'
import { LiveTimes, recordCoverage } from './coverage.ts'
import type { Devices } from './devices.ts'
import { markSamplesDirty } from './dirty-buckets.ts'
import type { Feed } from './feed.ts'
import { recordFeedSuccess } from './feed-state.ts'
import { type AlertChange, observeTerminals } from './observe-terminals.ts'
import { ensurePartitions, formatUtcDay } from './partitions.ts'
import {
  type BatchKind,
  claimBatch,
  claimBatchAhead,
  dropBatch,
  lockFeed,
  type RawBatch,
  type Receipt,
  recordStoredSamples,
  writeReceipt,
} from './raw-batches.ts'
import { readReceivedMs } from './received-time.ts'
import { selectStorableRows, type TerminalRows, writeSamples } from './stage-samples.ts'
import { appendEdges, listKnownTerminals } from './terminal-states.ts'
import { writeMoves } from './track-points.ts'
import { readUnknownColumns } from './unknown-columns.ts'
import { withAsyncCommit } from './with-async-commit.ts'
import { writeNewestAddresses, writeNewestRouters, writeNewestTerminals } from './write-newest.ts'

const parseBatch = (kind: BatchKind, body: string): TelemetryBatch =>
  kind === 'stream' ? parseTelemetry(body) : parseTelemetryQuery(body)

/**
 * Applies a stored batch in one transaction. It is idempotent, after a crash and when two processes try at once. Row
 * ages are measured from when the batch was received, so a replay makes the same decisions as the first attempt.
 */
export const ingestBatch = async (feed: Feed, raw: RawBatch): Promise<Receipt> => {
  const { tenantId, credentialId, limits } = feed
  const batch = (await raw.parsed) ?? parseBatch(raw.kind, raw.body)
  const receivedMs = readReceivedMs(feed, batch.terminals, raw.receivedAt)
  const { devices, terminals, skipped, storable, latestMs } = await prepareRows(feed, batch, receivedMs)
  const times = findSpan(terminals)
  const alive = raw.kind === 'stream' ? recordLiveTimes(feed, batch, receivedMs) : []
  const { columns } = batch.unknown
  const extras = columns.length > 0 ? readUnknownColumns(raw.body, new Set(columns)) : new Map()

  const receipt: Receipt = {
    terminalRows: batch.terminals.length,
    skippedRows: batch.skipped + skipped,
    firstSampleAt: times && new Date(times.firstMs),
    lastSampleAt: times && new Date(times.lastMs),
  }
  let areNew = false
  await withAsyncCommit(feed, async (db, client) => {
    areNew = false
    await lockFeed(db, feed)
    const claim = await claimBatch(db, tenantId, raw.id)
    if (!claim) return
    await recordFeedSuccess(db, { tenantId, credentialId, feed: 'telemetry', at: raw.receivedAt }, receipt.lastSampleAt)
    await recordCoverage(db, feed, alive)
    if (batch.rows === 0) return dropBatch(db, tenantId, raw.id)
    const known = await listKnownTerminals(
      db,
      tenantId,
      terminals.map(({ terminalId }) => terminalId),
    )
    const observed = observeTerminals({
      terminals,
      known,
      extras,
      feedTimeBetween: feed.clock.aliveBetween,
      completeUntilMs: raw.kind === 'newest' ? (times?.lastMs ?? null) : null,
      limits,
    })
    const wereNew = !claim.areSamplesStored && (await writeSamples(db, client, tenantId, storable))
    await writeNewestTerminals(db, client, tenantId, observed.newest)
    await writeMoves(db, tenantId, observed.moves)
    await writeNewestRouters(
      db,
      client,
      tenantId,
      findNewest(batch.routers, latestMs, (row) => devices.routers.get(row.routerId)?.id),
    )
    await writeNewestAddresses(
      db,
      client,
      tenantId,
      findNewest(batch.addresses, latestMs, (row) => devices.terminals.get(row.deviceId)?.id),
    )
    await writeReceipt(db, tenantId, raw.id, receipt)
    if (!claim.areSamplesStored)
      await markSamplesDirty(db, feed, { terminals: storable, areNew: wereNew, own: devices.own })
    await publishEvents(db, tenantId, observed.alerts.map(toAlertEvent))
    await appendEdges(db, tenantId, observed.edges)
    await notifyLinesChanged(db, tenantId, findLines(devices, new Set(observed.changedTerminalIds)))
    areNew = wereNew
  })
  // After the commit, so that rolled-back samples are not counted.
  if (areNew) feed.accumulator.add(storable)
  countApplied(feed, receipt)
  if (raw.kind === 'stream' && times) feed.advanceWatermark(Math.min(times.lastMs, receivedMs))
  return receipt
}

/** The rows of a batch by terminal, and the subset stored as samples. Their partitions exist. */
const prepareRows = async (feed: Feed, batch: TelemetryBatch, receivedMs: number) => {
  warnUnknown(feed, batch)
  const { oldestRowMs, clockSkewMs } = feed.limits
  const span = { earliestMs: receivedMs - oldestRowMs, latestMs: receivedMs + clockSkewMs }
  const devices = await feed.devices()
  const { terminals, skipped } = groupByTerminal(feed, devices, batch, span.latestMs)
  const storable = selectStorableRows(terminals, span)
  await ensureDays(feed, storable)
  return { devices, terminals, skipped, storable, latestMs: span.latestMs }
}

/**
 * Stores the samples of a batch that waits behind others, which is most of the work and may be done in any order. The
 * process that reads the credential applies the rest in order, and sets aside what cannot be parsed. Returns the batch,
 * or undefined if none is waiting.
 */
export const storeSamplesAhead = (
  feed: Feed,
  except: readonly number[],
): Promise<{ id: number; isStored: boolean } | undefined> => {
  const { tenantId, credentialId } = feed
  return withAsyncCommit(feed, async (db, client) => {
    const raw = await claimBatchAhead(db, { tenantId, credentialId, except })
    if (!raw) return undefined
    const { id } = raw
    const batch = await tryParse(raw.body)
    if (!batch) return { id, isStored: false }
    const { devices, storable } = await prepareRows(feed, batch, readReceivedMs(feed, batch.terminals, raw.receivedAt))
    const areNew = await writeSamples(db, client, tenantId, storable)
    await recordStoredSamples(db, tenantId, id)
    await markSamplesDirty(db, feed, { terminals: storable, areNew, own: devices.own })
    return { id, isStored: true }
  })
}

const tryParse = async (body: string) => {
  try {
    return await parseTelemetryInTurns(body)
  } catch (error) {
    if (error instanceof MalformedTelemetry) return undefined
    throw error
  }
}

const countApplied = ({ monitor: { totals }, monitored }: Feed, receipt: Receipt) => {
  totals.batches++
  totals.rows += receipt.terminalRows
  totals.skippedRows += receipt.skippedRows
  const newestMs = receipt.lastSampleAt?.getTime()
  if (newestMs !== undefined) monitored.newestSampleMs = Math.max(monitored.newestSampleMs ?? 0, newestMs)
}

const toAlertEvent = ({ terminalId, alert, isRaised, atMs }: AlertChange): PublishedEvent => ({
  type: isRaised ? 'terminal.alert_raised' : 'terminal.alert_cleared',
  at: new Date(atMs),
  subject: { terminalId, alert },
})

const findLines = ({ terminals }: Devices, terminalIds: ReadonlySet<number>) => {
  const lines: number[] = []
  for (const { id, serviceLineId } of terminals.values())
    if (serviceLineId !== null && terminalIds.has(id)) lines.push(serviceLineId)
  return lines
}

const warnUnknown = ({ warnOnce }: Feed, { unknown }: TelemetryBatch) => {
  for (const column of unknown.columns) warnOnce('The telemetry has an unknown column. Its values are stored.', column)
  for (const alert of unknown.alerts) warnOnce('The telemetry has an unknown alert. It is stored by its code.', alert)
  for (const type of unknown.deviceTypes)
    warnOnce('The telemetry reports an unknown type of device. Its rows are skipped.', type)
}

/** Groups rows by terminal id, ascending, each terminal's in chronological order. */
const groupByTerminal = (feed: Feed, devices: Devices, batch: TelemetryBatch, latestMs: number) => {
  const byDevice = new Map<string, { terminalId: number; samples: TerminalSample[] } | null>()
  let skipped = 0
  for (const sample of batch.terminals) {
    let rows = byDevice.get(sample.deviceId)
    if (rows === undefined) {
      const device = devices.terminals.get(sample.deviceId)
      rows = device ? { terminalId: device.id, samples: [] } : null
      byDevice.set(sample.deviceId, rows)
    }
    if (rows === null || sample.atMs > latestMs) skipped++
    else rows.samples.push(sample)
  }
  const terminals: TerminalRows[] = []
  for (const [deviceId, rows] of byDevice) {
    if (rows === null) {
      feed.reportUnknownDevice()
      feed.warnOnce('The telemetry reports a terminal that is not in the inventory. Its rows are skipped.', deviceId)
    } else if (rows.samples.length > 0) terminals.push({ ...rows, samples: sortByTime(rows.samples) })
  }
  terminals.sort((one, other) => one.terminalId - other.terminalId)
  return { terminals, skipped }
}

const sortByTime = (samples: TerminalSample[]) => {
  for (let index = 1; index < samples.length; index++) {
    if ((samples[index - 1] as TerminalSample).atUs > (samples[index] as TerminalSample).atUs)
      return samples.sort((one, other) => one.atUs - other.atUs)
  }
  return samples
}

const findSpan = (terminals: readonly TerminalRows[]) => {
  let firstMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { samples } of terminals) {
    firstMs = Math.min(firstMs, samples[0]?.atMs ?? firstMs)
    lastMs = Math.max(lastMs, samples.at(-1)?.atMs ?? lastMs)
  }
  return Number.isFinite(firstMs) ? { firstMs, lastMs } : null
}

// A dish whose clock runs ahead must not make the others look silent.
const MAX_AHEAD_MS = 60_000

/** Returns the times at which the batch shows that the feed was alive. */
const recordLiveTimes = ({ clock }: Feed, { rows, terminals, routerTimesMs }: TelemetryBatch, receivedMs: number) => {
  const alive = new LiveTimes()
  if (rows === 0 && clock.recordEmptyResponse(receivedMs)) alive.add(receivedMs)
  const record = (atMs: number) => {
    if (atMs > receivedMs + MAX_AHEAD_MS) return
    clock.recordRow(atMs)
    alive.add(atMs)
  }
  for (const { atMs } of terminals) record(atMs)
  for (const atMs of routerTimesMs) record(atMs)
  return alive.spans()
}

const DAY_MS = 86_400_000

const ensureDays = async ({ database, readyDays }: Feed, terminals: readonly TerminalRows[]) => {
  const times = findSpan(terminals)
  if (!times) return
  const missing: string[] = []
  for (let day = Math.floor(times.firstMs / DAY_MS); day * DAY_MS <= times.lastMs; day++)
    if (!readyDays.has(formatUtcDay(day * DAY_MS))) missing.push(formatUtcDay(day * DAY_MS))
  await ensurePartitions(database, missing)
  for (const day of missing) readyDays.add(day)
}

/** The newest row of each device. One from the future would stay the newest until then. */
const findNewest = <T extends { atMs: number; atUs: number }>(
  samples: readonly T[],
  latestMs: number,
  getId: (sample: T) => number | undefined,
) => {
  const newest = new Map<number, T>()
  for (const sample of samples) {
    const id = getId(sample)
    if (id === undefined || sample.atMs > latestMs) continue
    const before = newest.get(id)
    if (!before || sample.atUs > before.atUs) newest.set(id, sample)
  }
  return newest
}
