import { recordPastLosses } from '#server/incidents/record-past-losses.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordCoverage } from '#server/telemetry/coverage.ts'
import type { FeedScope } from '#server/telemetry/dirty-buckets.ts'
import { writePastStatus } from '#server/telemetry/past-status.ts'
import { createChanges } from '#simulator/changes.ts'
import type { Fleet, Terminal } from '#simulator/fleet.ts'
import { getPresence } from '#simulator/presence.ts'
import { SLOT_MS } from '#simulator/reading.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { buildSample } from './history-batches.ts'
import { HISTORY_DAYS, type Piece } from './history-plan.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/**
 * The interval between rows that only confirm a status. Shorter than the silence after which a terminal counts as offline,
 * and than any absence.
 */
export const STEP_MS = 2 * MINUTE_MS
/** About 0.1 KB each, because most share the values of the one before; more would outlive the young generation. */
const BATCH_ROWS = 40_000

const changes = createChanges()

const getNextSlot = (atMs: number) => Math.ceil(atMs / SLOT_MS) * SLOT_MS

/** The rows of a time in which a terminal stops or resumes reporting, as often as the vendor reports it. */
const buildExactRows = (fleet: Fleet, terminal: Terminal, fromMs: number, toMs: number) => {
  const samples: TerminalSample[] = []
  for (let atMs = getNextSlot(fromMs); atMs < toMs; atMs += SLOT_MS) {
    const sample = buildSample(fleet, terminal, atMs)
    if (sample) samples.push(sample)
  }
  return samples
}

/**
 * The rows from which a status is derived. Around the times at which a terminal stops or resumes reporting they are
 * complete, so that losses have their exact times and causes. In between they are few, and repeat the values of the one
 * before, which takes a tenth of the time.
 */
export const buildStatusRows = (fleet: Fleet, terminal: Terminal, { fromMs, toMs, stepMs }: Piece) => {
  const samples: TerminalSample[] = []
  let repeated = null as TerminalSample | null
  const addExactly = (startMs: number, endMs: number) => {
    while ((samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= startMs) samples.pop()
    for (const sample of buildExactRows(fleet, terminal, startMs, endMs)) samples.push(sample)
    repeated = samples.at(-1) ?? null
  }
  const firstMs = Math.ceil(fromMs / stepMs) * stepMs
  for (let atMs = firstMs; atMs < toMs; atMs += stepMs) {
    const isReporting = getPresence(fleet, changes, terminal, atMs).reports
    if (isReporting && repeated) samples.push({ ...repeated, atMs, atUs: atMs * 1000 })
    // A terminal is online again after two rows.
    else if (isReporting) addExactly(atMs === firstMs ? atMs : atMs - stepMs, atMs + 2 * SLOT_MS)
    else if (repeated) {
      addExactly(atMs - stepMs, atMs)
      repeated = null
    }
  }
  const last = samples.at(-1)
  if (repeated && last) addExactly(last.atMs, toMs)
  return samples
}

export interface PastAccount {
  feed: FeedScope
  fleet: Fleet
  terminals: readonly { terminal: Terminal; terminalId: number }[]
  beganMs: number
}

/** So few terminals at a time that their rows of a piece fit in memory. */
export const splitByRows = function* <Each extends PastAccount['terminals'][number]>(
  terminals: readonly Each[],
  rowsEach: number,
) {
  const size = Math.max(1, Math.floor(BATCH_ROWS / rowsEach))
  for (let start = 0; start < terminals.length; start += size) yield terminals.slice(start, start + size)
}

/** The last row of a terminal that does not report when a piece begins, without which its outage would be unknown. */
export const buildRowBefore = (fleet: Fleet, terminal: Terminal, { fromMs, stepMs }: Piece): TerminalSample[] => {
  const presence = getPresence(fleet, changes, terminal, Math.ceil(fromMs / stepMs) * stepMs)
  if (presence.reports || presence.sinceMs < fromMs - HISTORY_DAYS * DAY_MS) return []
  const sample = buildSample(fleet, terminal, getNextSlot(presence.sinceMs) - SLOT_MS)
  return sample ? [sample] : []
}

/**
 * Writes when each terminal was up and down before its samples. In one piece, because a loss that begins in one and ends
 * in another would not be recorded.
 */
export const writeStatusHistory = async (database: Database, { feed, fleet, terminals }: PastAccount, piece: Piece) => {
  const { fromMs, toMs, stepMs } = piece
  for (const some of splitByRows(terminals, Math.ceil((toMs - fromMs) / stepMs)))
    await writePastStatus(database, {
      feed,
      terminals: some.map(({ terminal, terminalId }) => ({
        terminalId,
        samples: [...buildRowBefore(fleet, terminal, piece), ...buildStatusRows(fleet, terminal, piece)],
      })),
      toMs,
      stepMs: SLOT_MS,
      nowMs: Date.now(),
      recordLosses: recordPastLosses,
    })
}

/**
 * Records that the feed was observed in these pieces, without which a status means nothing to heartbeats, availability
 * and reports. The last millisecond of a piece is recorded with its samples, and marks it as written.
 */
export const coverStatus = (database: Database, feed: FeedScope, pieces: readonly Piece[]) =>
  database.transaction(feed, (db) =>
    recordCoverage(
      db,
      feed,
      pieces.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs - 1 })),
    ),
  )
