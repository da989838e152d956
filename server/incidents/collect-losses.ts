import { sql } from 'kysely'
import type { TerminalStatus } from '#contract/terminal-status.ts'
import type { Db } from '../platform/database/database.ts'
import { isWorking } from '../telemetry/status.ts'
import { getLossKey } from './loss.ts'
import { type Begun, type Ended, readBeginnings, readEnds } from './reports.ts'

interface Window {
  /** Terminals whose status changed after this time, on the event clock. */
  after: Date
  upTo: Date
  /** The current time of the event clock: everything before it is known. */
  until: Date
}

interface IntervalRow {
  terminal_id: number
  started_at: Date
  noted_at: Date
  status: TerminalStatus
  disabled: boolean
}

interface TerminalRow {
  terminal_id: number
  /** The start of a loss that was ongoing right before the changes. */
  lost_at: Date | null
  /** Whether it was working right before the changes; null for a terminal's first change. */
  worked: boolean | null
}

interface Span extends Begun {
  backAtMs: number | null
  isDisabled: boolean
  isKnown: boolean
  /** It begins after the window. */
  isLater: boolean
}

const selectChangedTerminals = (tenantId: string, { after, upTo }: Window) => sql`
  select terminal_id, min(started_at) as since from status_intervals
  where tenant_id = ${tenantId} and noted_at > ${after} and noted_at <= ${upTo}
  group by terminal_id`

const listTerminalRows = async (db: Db, tenantId: string, window: Window) => {
  const { rows } = await sql<TerminalRow>`
    select changed.terminal_id, loss.lost_at, before.status = 'online' and not before.disabled as worked
    from (${selectChangedTerminals(tenantId, window)}) as changed
    left join terminal_losses as loss on loss.tenant_id = ${tenantId} and loss.terminal_id = changed.terminal_id
      and loss.lost_at < changed.since and (loss.back_at is null or loss.back_at >= changed.since)
    left join lateral (
      select status, disabled from status_intervals as earlier
      where earlier.tenant_id = ${tenantId} and earlier.terminal_id = changed.terminal_id
        and earlier.started_at < changed.since
      order by earlier.started_at desc
      limit 1
    ) as before on true`.execute(db)
  return rows
}

const listIntervals = async (db: Db, tenantId: string, window: Window) => {
  const { rows } = await sql<IntervalRow>`
    select status.terminal_id, status.started_at, status.noted_at, status.status, status.disabled
    from (${selectChangedTerminals(tenantId, window)}) as changed
    join status_intervals as status on status.tenant_id = ${tenantId} and status.terminal_id = changed.terminal_id
      and status.started_at >= changed.since
    where status.noted_at <= ${window.until}
    order by status.terminal_id, status.started_at`.execute(db)
  return Map.groupBy(rows, (row) => row.terminal_id)
}

/** The losses of one terminal. A terminal that has never worked is not lost. */
const toSpans = (
  { terminal_id, lost_at, worked }: TerminalRow,
  intervals: readonly IntervalRow[],
  { upTo }: Window,
): Span[] => {
  const spans: Span[] = []
  const begin = (at: Date, rest: Pick<Span, 'isDisabled' | 'isKnown' | 'isLater'>) => {
    const span: Span = { terminalId: terminal_id, lostAtMs: at.getTime(), backAtMs: null, ...rest }
    spans.push(span)
    return span
  }
  let open = lost_at && begin(lost_at, { isDisabled: false, isKnown: true, isLater: false })
  let hasWorked = worked === true
  for (const interval of intervals) {
    if (isWorking(interval)) {
      if (open) open.backAtMs = interval.started_at.getTime()
      open = null
      hasWorked = true
    } else if (open) open.isDisabled ||= interval.disabled
    else if (hasWorked) {
      const isLater = interval.noted_at > upTo
      open = begin(interval.started_at, { isDisabled: interval.disabled, isKnown: false, isLater })
    }
  }
  return spans
}

/**
 * Records the losses that began or ended in a window, with what is currently known about each. Later losses of the same
 * terminals are recorded with those of all others, because what is lost together is one incident.
 */
export const collectLosses = async (db: Db, tenantId: string, window: Window): Promise<void> => {
  const terminals = await listTerminalRows(db, tenantId, window)
  if (terminals.length === 0) return
  const intervals = await listIntervals(db, tenantId, window)
  const all = terminals.flatMap((terminal) => toSpans(terminal, intervals.get(terminal.terminal_id) ?? [], window))
  await deleteOthers(db, tenantId, window, all)
  const spans = all.filter(({ isLater }) => !isLater)
  const begun = spans.filter(({ isKnown }) => !isKnown)
  const ended = spans.filter((span): span is Span & Ended => span.backAtMs !== null)
  const beginnings = await readBeginnings(db, tenantId, begun, window.until)
  const ends = await readEnds(db, tenantId, ended, window.until)
  const written = spans.map((span) => {
    const key = getLossKey(span)
    return { ...span, facts: { after: ends.get(key) ?? null, ...beginnings.get(key) } }
  })
  await writeLosses(db, tenantId, written)
}

/** Deletes losses that late data has moved to another start time. */
const deleteOthers = async (db: Db, tenantId: string, window: Window, spans: readonly Span[]) => {
  await sql`
    delete from terminal_losses as loss
    using (${selectChangedTerminals(tenantId, window)}) as changed
    where loss.tenant_id = ${tenantId} and loss.terminal_id = changed.terminal_id and loss.lost_at >= changed.since
      and not exists (
        select from unnest(
          ${spans.map(({ terminalId }) => terminalId)}::bigint[],
          ${spans.map(({ lostAtMs }) => new Date(lostAtMs).toISOString())}::timestamptz[]
        ) as span (terminal_id, lost_at)
        where span.terminal_id = loss.terminal_id and span.lost_at = loss.lost_at)`.execute(db)
}

interface WrittenLoss extends Omit<Span, 'isKnown' | 'isLater'> {
  facts: Record<string, unknown>
}

/**
 * What is known already is not replaced by what is unknown, because its rows may be gone. What was imported is not replaced
 * at all, because the rows that are stored of that time are fewer.
 */
export const writeLosses = async (db: Db, tenantId: string, losses: readonly WrittenLoss[]) => {
  const toTime = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString())
  await sql`
    insert into terminal_losses as known (tenant_id, terminal_id, lost_at, back_at, disabled, facts)
    select ${tenantId}, terminal_id, lost_at, back_at, disabled, facts
    from unnest(
      ${losses.map(({ terminalId }) => terminalId)}::bigint[],
      ${losses.map(({ lostAtMs }) => toTime(lostAtMs))}::timestamptz[],
      ${losses.map(({ backAtMs }) => toTime(backAtMs))}::timestamptz[],
      ${losses.map(({ isDisabled }) => isDisabled)}::boolean[],
      ${losses.map(({ facts }) => JSON.stringify(facts))}::jsonb[]
    ) as loss (terminal_id, lost_at, back_at, disabled, facts)
    on conflict (tenant_id, terminal_id, lost_at) do update set
      back_at = excluded.back_at, disabled = known.disabled or excluded.disabled,
      facts = known.facts || case
        when known.facts ? 'isImported' and excluded.back_at = known.back_at
        then excluded.facts - array['cell', 'before', 'lostPingsFirst', 'after']
        else excluded.facts
          - case when excluded.facts -> 'before' = 'null' then array['before', 'lostPingsFirst'] else '{}' end
          - case when excluded.facts -> 'after' = 'null' or (excluded.back_at = known.back_at
              and excluded.facts #>> '{after,bootedAtMs}' is null and known.facts #>> '{after,bootedAtMs}' is not null)
            then array['after'] else '{}' end
        end`.execute(db)
}
