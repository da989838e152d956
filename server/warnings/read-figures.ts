import { cellToLatLng, greatCircleDistance, UNITS } from 'h3-js'
import { sql } from 'kysely'
import { measures } from '#contract/measures.ts'
import type { Db } from '../platform/database/database.ts'
import { formatDay, toDay } from './drift.ts'
import { type DayRow, FIGURE_DAYS, type StoredFigures } from './figures.ts'

/** A terminal with its stored figures and its current position. */
export interface TerminalRow {
  id: number
  line_id: number
  is_mobile: boolean
  known: StoredFigures | null
  restart_count: number
  countries: [here: string, address: string] | null
  distance_km: number | null
  /** The current position of a moving terminal. */
  position: [latitude: number, longitude: number] | null
}

interface Row {
  id: number
  line_id: number
  is_mobile: boolean
  day: string | null
  obstruction: (number | null)[]
  signal_quality: (number | null)[]
  restarts: (number | null)[]
  weekly_obstruction: (number | null)[]
  weekly_signal_quality: (number | null)[]
  known_restarts: number
  abroad_since: string | null
  restart_count: number
  h3_cell: string | null
  country_code: string | null
  country: string | null
  latitude: number | null
  longitude: number | null
}

const findDistanceKm = ({ is_mobile, h3_cell, latitude, longitude }: Row) =>
  is_mobile || h3_cell === null || latitude === null || longitude === null
    ? null
    : greatCircleDistance(cellToLatLng(h3_cell), [latitude, longitude], UNITS.km)

const toStored = (row: Row): StoredFigures | null =>
  row.day === null
    ? null
    : {
        day: toDay(row.day),
        obstruction: row.obstruction,
        signalQuality: row.signal_quality,
        restarts: row.restarts,
        weeklyObstruction: row.weekly_obstruction,
        weeklySignalQuality: row.weekly_signal_quality,
        restartCount: row.known_restarts,
        abroadSince: row.abroad_since === null ? null : toDay(row.abroad_since),
      }

const toTerminal = (row: Row): TerminalRow => ({
  id: row.id,
  line_id: row.line_id,
  is_mobile: row.is_mobile,
  known: toStored(row),
  restart_count: row.restart_count,
  countries: row.country_code && row.country ? [row.country_code, row.country] : null,
  distance_km: findDistanceKm(row),
  position: row.is_mobile && row.h3_cell !== null ? cellToLatLng(row.h3_cell) : null,
})

/** A batch of terminals whose figures end before a day, the oldest first. */
export const listDueTerminals = async (
  db: Db,
  tenantId: string,
  day: number,
  limit: number,
): Promise<TerminalRow[]> => {
  const { rows } = await sql<Row>`
    select terminal.id, line.id as line_id, line.is_mobile, figures.day, figures.obstruction, figures.signal_quality, figures.restarts,
      figures.weekly_obstruction, figures.weekly_signal_quality, figures.restart_count as known_restarts,
      figures.abroad_since, latest.h3_cell, latest.country_code, line.country, line.latitude, line.longitude,
      latest.restarts + coalesce((
        select sum(newest.restarts)::integer from routers as router
        join latest_routers as newest on newest.tenant_id = router.tenant_id and newest.router_id = router.id
        where router.tenant_id = terminal.tenant_id and router.terminal_id = terminal.id), 0) as restart_count
    from terminals as terminal
    join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    left join terminal_figures as figures
      on figures.tenant_id = terminal.tenant_id and figures.terminal_id = terminal.id
    where terminal.tenant_id = ${tenantId} and terminal.removed_at is null
      and (figures.day is null or figures.day < ${formatDay(day)}::date)
    order by figures.day nulls first, terminal.id
    limit ${limit}`.execute(db)
  return rows.map(toTerminal)
}

const toMean = (column: string) => {
  const index = measures.findIndex(({ tierColumn }) => tierColumn === column) + 1
  return sql.raw(
    `percentile_cont(0.5) within group (order by ${column}_sum / nullif(coalesce(non_null_counts[${index}], n), 0))`,
  )
}

/** The median of each day's buckets. Without a join, so that a distributed database can push it down to each shard. */
export const readDays = async (
  db: Db,
  tenantId: string,
  terminals: readonly TerminalRow[],
  day: number,
): Promise<Map<number, DayRow[]>> => {
  const firstDay = Math.max(
    day - FIGURE_DAYS + 1,
    terminals.reduce((first, { known }) => Math.min(first, known ? known.day + 1 : 0), day),
  )
  const { rows } = await sql<{ terminal_id: number; day: string } & Record<'obstruction' | 'signal', number | null>>`
    select terminal_id, (at at time zone 'UTC')::date as day, ${toMean('obstruction')} as obstruction,
      ${toMean('signal_quality')} as signal
    from tier_2h
    where tenant_id = ${tenantId} and terminal_id = any(${terminals.map(({ id }) => id)}::bigint[])
      and at >= ${formatDay(firstDay)}::date::timestamp at time zone 'UTC'
      and at < ${formatDay(day + 1)}::date::timestamp at time zone 'UTC'
    group by terminal_id, (at at time zone 'UTC')::date`.execute(db)
  return Map.groupBy(
    rows.map((row) => ({ ...row, day: toDay(row.day), signalQuality: row.signal })),
    (row) => row.terminal_id,
  )
}

/** The usage of lines on each of the last days, oldest first; the vendor omits days without usage. */
export const readUsage = async (
  db: Db,
  tenantId: string,
  lineIds: readonly number[],
  day: number,
): Promise<Map<number, (number | null)[]>> => {
  const { rows } = await sql<{ line_id: number; day: string; gb: number }>`
    select service_line_id as line_id, day, priority_gb + standard_gb as gb from daily_usage
    where tenant_id = ${tenantId} and service_line_id = any(${lineIds}::bigint[])
      and day > ${formatDay(day - FIGURE_DAYS)}::date and day <= ${formatDay(day)}::date`.execute(db)
  const lines = new Map<number, (number | null)[]>()
  for (const row of rows) {
    const known = lines.get(row.line_id) ?? Array.from({ length: FIGURE_DAYS }, () => null)
    known[FIGURE_DAYS - 1 - (day - toDay(row.day))] = row.gb
    lines.set(row.line_id, known)
  }
  return lines
}

const writeList = (values: readonly (number | null)[]) => `{${values.map((value) => value ?? 'null').join(',')}}`

export const writeFigures = async (
  db: Db,
  tenantId: string,
  all: readonly { terminalId: number; figures: StoredFigures }[],
) => {
  const rows = all.map(({ terminalId, figures }) => ({
    terminal_id: terminalId,
    day: formatDay(figures.day),
    obstruction: writeList(figures.obstruction),
    signal_quality: writeList(figures.signalQuality),
    restarts: writeList(figures.restarts.map((count) => (count === null ? null : Math.min(count, 32_767)))),
    weekly_obstruction: writeList(figures.weeklyObstruction),
    weekly_signal_quality: writeList(figures.weeklySignalQuality),
    restart_count: figures.restartCount,
    abroad_since: figures.abroadSince === null ? null : formatDay(figures.abroadSince),
  }))
  await sql`
    insert into terminal_figures (tenant_id, terminal_id, day, obstruction, signal_quality, restarts, weekly_obstruction,
      weekly_signal_quality, restart_count, abroad_since)
    select ${tenantId}, row.terminal_id, row.day, row.obstruction::real[], row.signal_quality::real[],
      row.restarts::smallint[], row.weekly_obstruction::real[], row.weekly_signal_quality::real[], row.restart_count,
      row.abroad_since
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (terminal_id bigint, day date, obstruction text,
      signal_quality text, restarts text, weekly_obstruction text, weekly_signal_quality text, restart_count integer,
      abroad_since date)
    on conflict (tenant_id, terminal_id) do update set day = excluded.day, obstruction = excluded.obstruction,
      signal_quality = excluded.signal_quality, restarts = excluded.restarts,
      weekly_obstruction = excluded.weekly_obstruction, weekly_signal_quality = excluded.weekly_signal_quality,
      restart_count = excluded.restart_count, abroad_since = excluded.abroad_since`.execute(db)
}
