import { sql } from 'kysely'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { notifyLinesChanged } from '../fleet/notify.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { refreshStatistics } from '../platform/database/refresh-statistics.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { HISTORY_SUBJECT } from '../platform/worker/queues.ts'
import type { FeedScope } from './dirty-buckets.ts'
import { toStatusRow } from './observe-terminals.ts'
import { lockFeed } from './raw-batches.ts'
import type { TerminalRows } from './stage-samples.ts'
import {
  type Edge,
  isWorking,
  type StatusLimits,
  statusAfterRow,
  statusAfterSilence,
  statusLimits,
  type TerminalState,
} from './status.ts'
import { listMoves, type Move, writeMoves } from './track-points.ts'
import { type NewestTerminal, writeNewestTerminals } from './write-newest.ts'

/** A loss of the past, with the rows around it. */
export interface PastLoss {
  terminalId: number
  lostAtMs: number
  backAtMs: number | null
  isDisabled: boolean
  /** The last row as it began, which may have lost all pings, and the first row after it. */
  before: TerminalSample | undefined
  after: TerminalSample | undefined
}

export type RecordLosses = (db: Db, tenantId: string, losses: readonly PastLoss[]) => Promise<void>

interface Past {
  feed: FeedScope
  /** Rows of the feed's own terminals, each terminal's in order of time. */
  terminals: readonly TerminalRows[]
  /** The rows are complete up to this time. */
  toMs: number
  /** The interval between a terminal's rows. */
  stepMs: number
  nowMs: number
  /** Called with the losses in the rows, which are not stored. */
  recordLosses?: RecordLosses | undefined
}

interface KnownInterval {
  terminal_id: number
  started_at: Date
  status: TerminalStatus
  disabled: boolean
}

/** `endMs` is null while the interval is open. */
interface PastInterval extends Edge {
  terminalId: number
  endMs: number | null
}

// History is imported in pieces, so evaluating it is debounced.
const EVALUATE_HISTORY_AFTER_MS = 60_000

const scaleLimits = (stepMs: number): StatusLimits => ({
  ...statusLimits,
  rowIntervalMs: stepMs,
  offlineAfterMs: Math.max(statusLimits.offlineAfterMs, 2 * stepMs),
  freshWithinMs: Math.max(statusLimits.freshWithinMs, stepMs),
})

/**
 * Adds to each terminal's status and newest values what its rows show about the time before its first known status.
 * Idempotent for rows that were added before.
 */
export const writePastStatus = (
  database: Database,
  { feed, terminals, toMs, stepMs, nowMs, recordLosses }: Past,
): Promise<void> =>
  database.transaction(feed, async (db, client) => {
    const { tenantId } = feed
    await lockFeed(db, feed)
    const known = await listFirstIntervals(db, tenantId, terminals)
    const limits = scaleLimits(stepMs)
    const newest: NewestTerminal[] = []
    const moves: Move[] = []
    const added: PastInterval[] = []
    const extended: PastInterval[] = []
    const losses: PastLoss[] = []
    for (const { terminalId, samples } of terminals) {
      const { state, edges } = observePast(samples, { toMs, nowMs, limits })
      const sample = samples.at(-1)
      if (!state || !sample) continue
      newest.push({ terminalId, lastResponseAtMs: state.lastResponseAtMs, sample, extra: null })
      moves.push(...listMoves(terminalId, samples, null))
      const next = known.get(terminalId)
      const intervals = toIntervals(terminalId, edges, next?.started_at.getTime() ?? null)
      if (recordLosses) losses.push(...listPastLosses(intervals, samples))
      const last = intervals.at(-1)
      if (next && last && last.status === next.status && last.disabled === next.disabled) {
        extended.push(last)
        intervals.pop()
      }
      added.push(...intervals)
    }
    await writeNewestTerminals(db, client, tenantId, newest)
    await writeMoves(db, tenantId, moves)
    await extendFirstIntervals(db, tenantId, extended)
    await insertIntervals(db, tenantId, added)
    await recordLosses?.(db, tenantId, losses)
    const changed = [...added, ...extended].map(({ terminalId }) => terminalId)
    if (changed.length > 0)
      await enqueue(db, 'incidents', tenantId, {
        subject: HISTORY_SUBJECT,
        dueAt: new Date(nowMs + EVALUATE_HISTORY_AFTER_MS),
      })
    await notifyLinesChanged(db, tenantId, await listLineIds(db, tenantId, changed))
  })

const observePast = (
  samples: TerminalRows['samples'],
  { toMs, nowMs, limits }: Pick<Past, 'toMs' | 'nowMs'> & { limits: StatusLimits },
) => {
  // After the last possible row, silence means nothing.
  const timeBetween = (fromMs: number, untilMs: number) => Math.min(untilMs, toMs) - fromMs
  const edges: Edge[] = []
  let state: TerminalState | null = null
  for (const sample of samples) {
    const step = statusAfterRow(state, toStatusRow(sample), timeBetween, limits)
    state = step.state
    edges.push(...step.edges)
  }
  if (state) edges.push(...statusAfterSilence(state, nowMs, timeBetween, limits).edges)
  return { state, edges }
}

const toIntervals = (terminalId: number, edges: readonly Edge[], untilMs: number | null): PastInterval[] => {
  const before = edges.filter(({ atMs }) => untilMs === null || atMs < untilMs)
  return before.map((edge, index) => ({ terminalId, ...edge, endMs: before[index + 1]?.atMs ?? untilMs }))
}

/** Rows this soon after the start of a loss still belong to it. A terminal that is back this soon was not lost. */
const BEGINS_WITHIN_MS = 60_000

/** The losses that begin and end in the rows; each lasts until the terminal works again, whatever its status in between. */
const listPastLosses = (intervals: readonly PastInterval[], samples: TerminalRows['samples']): PastLoss[] => {
  const losses: PastLoss[] = []
  let next = 0
  for (const [index, interval] of intervals.entries()) {
    const { terminalId, atMs } = interval
    while ((samples[next]?.atMs ?? Number.POSITIVE_INFINITY) < atMs) next++
    const open = losses.at(-1)
    if (isWorking(interval)) {
      if (open && open.backAtMs === null) Object.assign(open, { backAtMs: atMs, after: samples[next] })
    } else if (open && open.backAtMs === null) open.isDisabled ||= interval.disabled
    else if (index > 0) {
      let begun = next
      while ((samples[begun]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs + BEGINS_WITHIN_MS) begun++
      losses.push({
        terminalId,
        lostAtMs: atMs,
        backAtMs: null,
        isDisabled: interval.disabled,
        before: samples[begun - 1],
        after: undefined,
      })
    }
  }
  // One that outlasts the rows may be part of a loss that is known already.
  return losses.filter(({ backAtMs }) => backAtMs !== null)
}

const listFirstIntervals = async (db: Db, tenantId: string, terminals: readonly TerminalRows[]) => {
  const { rows } = await sql<KnownInterval>`
    select first.terminal_id, first.started_at, first.status, first.disabled
    from unnest(${terminals.map(({ terminalId }) => terminalId)}::bigint[]) as given (id)
    cross join lateral (
      select terminal_id, started_at, status, disabled from status_intervals
      where tenant_id = ${tenantId} and terminal_id = given.id
      order by started_at
      limit 1
    ) as first`.execute(db)
  return new Map(rows.map((row) => [row.terminal_id, row]))
}

const toTime = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString())

/** Dated with its own time rather than the present: what happened before the account was connected is not news. */
const extendFirstIntervals = async (db: Db, tenantId: string, intervals: readonly PastInterval[]) => {
  await sql`
    update status_intervals as known set started_at = earlier.started_at, noted_at = earlier.started_at
    from unnest(
      ${intervals.map(({ terminalId }) => terminalId)}::bigint[],
      ${intervals.map(({ atMs }) => toTime(atMs))}::timestamptz[],
      ${intervals.map(({ endMs }) => toTime(endMs))}::timestamptz[]
    ) as earlier (terminal_id, started_at, ended_at)
    where known.tenant_id = ${tenantId} and known.terminal_id = earlier.terminal_id
      and known.started_at = earlier.ended_at`.execute(db)
}

/** Dated with its own time, too. */
const insertIntervals = async (db: Db, tenantId: string, intervals: readonly PastInterval[]) => {
  await sql`
    insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, status, disabled, noted_at)
    select ${tenantId}, terminal_id, started_at, ended_at, status, disabled, started_at
    from unnest(
      ${intervals.map(({ terminalId }) => terminalId)}::bigint[],
      ${intervals.map(({ atMs }) => toTime(atMs))}::timestamptz[],
      ${intervals.map(({ endMs }) => toTime(endMs))}::timestamptz[],
      ${intervals.map(({ status }) => status)}::text[],
      ${intervals.map(({ disabled }) => disabled)}::boolean[]
    ) as past (terminal_id, started_at, ended_at, status, disabled)`.execute(db)
  await refreshStatistics(db, { status_intervals: intervals.length })
}

const listLineIds = async (db: Db, tenantId: string, terminalIds: readonly number[]) => {
  const { rows } = await sql<{ service_line_id: number }>`
    select service_line_id from terminals
    where tenant_id = ${tenantId} and id = any(${terminalIds}::bigint[]) and service_line_id is not null`.execute(db)
  return rows.map((row) => row.service_line_id)
}
