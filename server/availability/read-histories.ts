import { sql } from 'kysely'
import { sortNaturally } from '#contract/format/natural-order.ts'
import { mergeSpans, type Span } from '../maintenance/occurrences.ts'
import { readPlannedTimes } from '../maintenance/planned-times.ts'
import type { Db } from '../platform/database/database.ts'
import { listAbsences } from './list-absences.ts'
import { type Circumstances, createCircumstances, subtractSpans, type TerminalHistory } from './measure.ts'

export interface TerminalRow {
  id: number
  credential_id: number
  line_id: number
  nickname: string
  name: string
  kit: string | null
  group_name: string
  known_since: Date | null
  removed_at: Date | null
}

interface Filter {
  group?: string | undefined
  lineId?: number | undefined
}

/** Terminals that the user may see and that existed in the period, even if they were removed since. */
const listTerminals = async (db: Db, tenantId: string, from: Date, { group, lineId }: Filter) => {
  const { rows } = await sql<TerminalRow>`
    select terminal.id, terminal.credential_id, line.id as line_id, line.nickname,
      coalesce(line.custom_name, line.nickname) as name, terminal.kit_serial as kit, line.group_name,
      first.started_at as known_since, least(terminal.removed_at, line.removed_at) as removed_at
    from terminals as terminal
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    left join lateral (
      select started_at from status_intervals
      where status_intervals.tenant_id = terminal.tenant_id and status_intervals.terminal_id = terminal.id
      order by started_at
      limit 1
    ) as first on true
    where terminal.tenant_id = ${tenantId}
      and (${group ?? null}::text is null or line.group_name = ${group ?? null})
      and (${lineId ?? null}::bigint is null or line.id = ${lineId ?? null})
      and coalesce(least(terminal.removed_at, line.removed_at), 'infinity') > ${from}
    order by terminal.id`.execute(db)
  return sortNaturally(rows, ({ name }) => name)
}

/**
 * Decodes pairs of big-endian numbers, which for a whole fleet are many times faster than rows. An outage continues
 * while a terminal that was offline has no data.
 */
const readPairs = (base64: string): Span[] => {
  const bytes = Buffer.from(base64, 'base64')
  const spans = Array.from({ length: bytes.length / 16 }, (_, index) => ({
    fromMs: bytes.readDoubleBE(index * 16),
    toMs: bytes.readDoubleBE(index * 16 + 8),
  }))
  return mergeSpans(spans)
}

/** The outages of terminals within a period. */
const listOutages = async (db: Db, tenantId: string, { fromMs, toMs }: Span, ids: readonly number[] | null) => {
  const [from, to] = [new Date(fromMs), new Date(toMs)]
  const toBytes = (time: ReturnType<typeof sql>) => sql`float8send(round(date_part('epoch', ${time}) * 1000))`
  const { rows } = await sql<{ terminal_id: number; outages: string }>`
    select terminal_id, encode(string_agg(
      ${toBytes(sql`greatest(started_at, ${from})`)} || ${toBytes(sql`least(coalesce(ended_at, ${to}), ${to})`)},
      ''::bytea), 'base64') as outages
    from status_intervals
    where tenant_id = ${tenantId} and (${ids}::bigint[] is null or terminal_id = any(${ids}::bigint[]))
      and started_at < ${to} and (ended_at is null or ended_at > ${from}) and (status <> 'online' or disabled)
    group by terminal_id`.execute(db)
  return new Map(rows.map((row) => [row.terminal_id, row.outages]))
}

/**
 * When each account's feed reported any terminal. Rounded to hundredths of a second, so that a gap of a millisecond between
 * two parts of an imported history is none.
 */
const listObserved = async (db: Db, tenantId: string, { fromMs, toMs }: Span) => {
  const [from, to] = [new Date(fromMs), new Date(toMs)]
  const readMs = (time: ReturnType<typeof sql>) => sql`round(date_part('epoch', ${time}) * 100) * 10`
  const { rows } = await sql<{ credential_id: number; from_ms: number; to_ms: number }>`
    select credential_id, ${readMs(sql`lower(span)`)} as from_ms, ${readMs(sql`upper(span)`)} as to_ms
    from feed_coverage, unnest(observed) as span
    where tenant_id = ${tenantId} and day >= (${from}::timestamptz at time zone 'UTC')::date
      and day <= (${to}::timestamptz at time zone 'UTC')::date`.execute(db)
  const byCredential = Map.groupBy(rows, (row) => row.credential_id)
  return new Map(
    [...byCredential].map(([id, spans]) => [
      id,
      mergeSpans(spans.map(({ from_ms, to_ms }) => ({ fromMs: from_ms, toMs: to_ms }))),
    ]),
  )
}

const toLife = ({ known_since, removed_at }: TerminalRow, { fromMs, toMs }: Span): Span | null => {
  if (known_since === null) return null
  const life = {
    fromMs: Math.max(fromMs, known_since.getTime()),
    toMs: Math.min(toMs, removed_at?.getTime() ?? toMs),
  }
  return life.fromMs < life.toMs ? life : null
}

interface KnownHistory {
  terminal: TerminalRow
  /** Decodes the history, which takes a while for a whole fleet. */
  readHistory: () => TerminalHistory
}

const MAX_ONE_BY_ONE = 2_000

/** The input for the figures of terminals in a period. */
export const readHistories = async (db: Db, tenantId: string, period: Span, filter: Filter = {}) => {
  const terminals = await listTerminals(db, tenantId, new Date(period.fromMs), filter)
  // Beyond this number, reading the whole tenant is faster than reading terminals one by one.
  const ids = terminals.length > MAX_ONE_BY_ONE ? null : terminals.map(({ id }) => id)
  const outages = await listOutages(db, tenantId, period, ids)
  const observed = await listObserved(db, tenantId, period)
  const absences = await listAbsences(db, tenantId, period, ids === null ? 'all' : terminals)
  const planned = await readPlannedTimes(db, tenantId, new Date(period.fromMs))
  const known = new Map<readonly Span[], Map<number, Circumstances>>()
  const nothing: readonly Span[] = []
  const findCircumstances = ({ id, credential_id, line_id }: TerminalRow) => {
    const times = planned.listTimes(id, period)
    const absent = absences.find(id, line_id)
    if (absent.length > 0)
      return createCircumstances(subtractSpans(observed.get(credential_id) ?? [], absent), subtractSpans(times, absent))
    const windows = times.length === 0 ? nothing : times
    const own = known.get(windows) ?? new Map<number, Circumstances>()
    known.set(windows, own)
    const found = own.get(credential_id) ?? createCircumstances(observed.get(credential_id) ?? [], windows)
    own.set(credential_id, found)
    return found
  }
  const histories = terminals.map(
    (terminal): KnownHistory => ({
      terminal,
      readHistory: () => ({
        life: toLife(terminal, period),
        outages: readPairs(outages.get(terminal.id) ?? ''),
        circumstances: findCircumstances(terminal),
      }),
    }),
  )
  return { histories, planned }
}

/** Since when the tenant's feeds have been recorded. */
export const findHeldSince = async (db: Db, tenantId: string) => {
  const { rows } = await sql<{ since: Date | null }>`
    select min(lower(observed)) as since from feed_coverage where tenant_id = ${tenantId} and not isempty(observed)
      and day = (select min(day) from feed_coverage where tenant_id = ${tenantId})`.execute(db)
  return rows[0]?.since ?? null
}
