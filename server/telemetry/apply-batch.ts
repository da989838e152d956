import { parseTelemetry, type TelemetryBatch } from '#starlink/telemetry.ts'
import { parseTelemetryQuery } from '#starlink/telemetry-query.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import { recordFeedSuccess } from '../vendor/feed-state.ts'
import { noteCoverage, spansOf } from './coverage.ts'
import type { Devices } from './devices.ts'
import type { Feed } from './feed.ts'
import { observeTerminals } from './observe-terminals.ts'
import { dayOf, ensurePartitions } from './partitions.ts'
import {
  type BatchKind,
  claimBatch,
  dropBatch,
  lockFeed,
  type RawBatch,
  type Receipt,
  writeReceipt,
} from './raw-batches.ts'
import { type TerminalRows, writeSamples } from './stage-samples.ts'
import { appendEdges, listKnownTerminals } from './terminal-states.ts'
import { noteSamples } from './tier-work.ts'
import { readUnknownColumns } from './unknown-columns.ts'
import { writeNewestAddresses, writeNewestRouters, writeNewestTerminals } from './write-newest.ts'

export const parseBatch = (kind: BatchKind, body: string): TelemetryBatch =>
  kind === 'stream' ? parseTelemetry(body) : parseTelemetryQuery(body)

/**
 * Applies a stored batch in one transaction. Applying it again changes nothing: neither after a crash, nor when two
 * processes try at once. Times are judged by when the batch was received, so a replay decides like the first attempt.
 */
export const applyBatch = async (feed: Feed, raw: RawBatch): Promise<Receipt> => {
  const { tenantId, credentialId, database, limits } = feed
  const batch = raw.parsed ?? parseBatch(raw.kind, raw.body)
  tellUnknown(feed, batch)
  const receivedMs = raw.receivedAt.getTime()
  const span = { earliestMs: receivedMs - limits.oldestRowMs, latestMs: receivedMs + limits.clockSkewMs }

  const devices = await feed.devices()
  const { terminals, skipped } = groupByTerminal(feed, devices, batch, span.latestMs)
  const times = timesOf(terminals)
  const alive = raw.kind === 'stream' ? noteTimes(feed, batch, receivedMs) : []
  await prepareDays(feed, terminals, span)
  const extras = batch.unknown.columns.length > 0 ? readUnknownColumns(raw.body, batch.unknown.columns) : new Map()

  const receipt: Receipt = {
    terminalRows: batch.terminals.length,
    skippedRows: batch.skipped + skipped,
    firstSampleAt: times && new Date(times.firstMs),
    lastSampleAt: times && new Date(times.lastMs),
  }
  await database.transaction({ tenantId }, async (db, client) => {
    await lockFeed(db, feed)
    if (!(await claimBatch(db, tenantId, raw.id))) return
    await recordFeedSuccess(db, { tenantId, credentialId, feed: 'telemetry', at: raw.receivedAt }, receipt.lastSampleAt)
    await noteCoverage(db, feed, alive)
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
    if (terminals.length > 0) await writeSamples(db, client, tenantId, terminals, span)
    await writeNewestTerminals(db, client, tenantId, observed.newest)
    await writeNewestRouters(
      db,
      client,
      tenantId,
      newestOf(batch.routers, (row) => devices.routers.get(row.routerId)?.id),
    )
    await writeNewestAddresses(
      db,
      client,
      tenantId,
      newestOf(batch.addresses, (row) => devices.terminals.get(row.deviceId)?.id),
    )
    await appendEdges(db, tenantId, observed.edges)
    await writeReceipt(db, tenantId, raw.id, receipt)
    await noteSamples(db, feed, { terminals, span, own: ownTerminals(devices, credentialId) })
    const lineOf = new Map([...devices.terminals.values()].map(({ id, serviceLineId }) => [id, serviceLineId]))
    const lines = observed.changedTerminalIds.flatMap((id) => lineOf.get(id) ?? [])
    await notifyLinesChanged(db, tenantId, lines)
  })
  if (raw.kind === 'stream' && times) feed.noteHeard(Math.min(times.lastMs, receivedMs))
  return receipt
}

const ownTerminals = ({ terminals }: Devices, credentialId: number) => {
  const own = new Set<number>()
  for (const terminal of terminals.values()) if (terminal.credentialId === credentialId) own.add(terminal.id)
  return own
}

const tellUnknown = ({ once }: Feed, { unknown }: TelemetryBatch) => {
  for (const column of unknown.columns) once('The telemetry has a column this version does not know; kept.', column)
  for (const alert of unknown.alerts) once('The telemetry has an alert without a name; kept by its code.', alert)
  for (const type of unknown.deviceTypes) once('The telemetry tells of a kind of device unknown here; skipped.', type)
}

/** Rows by terminal id, ascending, each terminal's in the order of time. */
const groupByTerminal = (feed: Feed, devices: Devices, batch: TelemetryBatch, latestMs: number) => {
  const rows = new Map<number, TerminalSample[]>()
  let skipped = 0
  let unknownDevices = 0
  for (const sample of batch.terminals) {
    const device = devices.terminals.get(sample.deviceId)
    if (!device || sample.atMs > latestMs) {
      skipped++
      if (device) continue
      unknownDevices++
      feed.once(
        'The telemetry tells of a terminal that the inventory does not list; its rows are skipped.',
        sample.deviceId,
      )
      continue
    }
    const known = rows.get(device.id)
    if (known) known.push(sample)
    else rows.set(device.id, [sample])
  }
  if (unknownDevices > 0) feed.missDevice()
  const terminals = [...rows].map(([terminalId, samples]): TerminalRows => ({ terminalId, samples: inOrder(samples) }))
  terminals.sort((one, other) => one.terminalId - other.terminalId)
  return { terminals, skipped }
}

const inOrder = (samples: TerminalSample[]) => {
  for (let index = 1; index < samples.length; index++) {
    if ((samples[index - 1] as TerminalSample).atUs > (samples[index] as TerminalSample).atUs)
      return samples.sort((one, other) => one.atUs - other.atUs)
  }
  return samples
}

const timesOf = (terminals: readonly TerminalRows[]) => {
  let firstMs = Number.POSITIVE_INFINITY
  let lastMs = Number.NEGATIVE_INFINITY
  for (const { samples } of terminals) {
    firstMs = Math.min(firstMs, samples[0]?.atMs ?? firstMs)
    lastMs = Math.max(lastMs, samples.at(-1)?.atMs ?? lastMs)
  }
  return Number.isFinite(firstMs) ? { firstMs, lastMs } : null
}

// A dish whose clock runs ahead must not make the others look silent.
const BELIEVED_AHEAD_MS = 60_000

/** Answers when the batch shows the feed to have been alive. */
const noteTimes = ({ clock }: Feed, { rows, terminals, routers }: TelemetryBatch, receivedMs: number) => {
  const aliveMs: number[] = []
  if (rows === 0 && clock.noteEmptyAnswer(receivedMs)) aliveMs.push(receivedMs)
  for (const list of [terminals, routers])
    for (const { atMs } of list) {
      if (atMs > receivedMs + BELIEVED_AHEAD_MS) continue
      clock.noteRow(atMs)
      aliveMs.push(atMs)
    }
  return spansOf(aliveMs)
}

const prepareDays = async (
  { database, readyDays }: Feed,
  terminals: readonly TerminalRows[],
  { earliestMs, latestMs }: { earliestMs: number; latestMs: number },
) => {
  const DAY_MS = 86_400_000
  const days = new Set<number>()
  for (const { samples } of terminals)
    for (const { atMs } of samples) if (atMs >= earliestMs && atMs <= latestMs) days.add(Math.floor(atMs / DAY_MS))
  const missing = [...days].map((day) => dayOf(day * DAY_MS)).filter((day) => !readyDays.has(day))
  await ensurePartitions(database, missing)
  for (const day of missing) readyDays.add(day)
}

const newestOf = <T extends { atUs: number }>(samples: readonly T[], idOf: (sample: T) => number | undefined) => {
  const newest = new Map<number, T>()
  for (const sample of samples) {
    const id = idOf(sample)
    if (id === undefined) continue
    const before = newest.get(id)
    if (!before || sample.atUs > before.atUs) newest.set(id, sample)
  }
  return newest
}
