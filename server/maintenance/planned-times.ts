import { cellToLatLng, greatCircleDistance, UNITS } from 'h3-js'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { listOccurrences, mergeSpans, type Span } from './occurrences.ts'
import { listWindows, type StoredWindow } from './window-rows.ts'

interface TerminalRow {
  id: number
  line_id: number
  group_name: string
  is_mobile: boolean
  h3_cell: string | null
  latitude: number | null
  longitude: number | null
}

/** A window that is running at a time, and the end of uninterrupted maintenance. */
export interface RunningWindow {
  name: string
  endMs: number
}

export interface PlannedTimes {
  /** The window of a terminal at a time; if there are several, the one that began last. */
  findWindow: (terminalId: number, atMs: number) => RunningWindow | null
  /** The maintenance times of a terminal, sorted and without overlaps. Terminals with the same windows share the list. */
  listTimes: (terminalId: number, within: Span) => readonly Span[]
  windows: readonly StoredWindow[]
  /** The terminals of a window. */
  listTerminals: (window: StoredWindow) => readonly number[]
}

/** Limits how many adjacent windows are followed, because they may never end. */
const MAX_WITHOUT_PAUSE = 31

const none: PlannedTimes = {
  findWindow: () => null,
  listTimes: () => [],
  windows: [],
  listTerminals: () => [],
}

const getPosition = ({ h3_cell, latitude, longitude }: TerminalRow): [number, number] | null => {
  if (h3_cell !== null) return cellToLatLng(h3_cell)
  return latitude === null || longitude === null ? null : [latitude, longitude]
}

const covers = ({ lineId, group, area }: StoredWindow, terminal: TerminalRow) => {
  if (area === null) return lineId === terminal.line_id || group === terminal.group_name
  const position = terminal.is_mobile ? null : getPosition(terminal)
  const center: [number, number] = [area.latitude, area.longitude]
  return position !== null && greatCircleDistance(center, position, UNITS.km) <= area.radiusKm
}

/** Only terminals that a window may concern, and that the user may see. */
const listTerminalRows = async (db: Db, tenantId: string, windows: readonly StoredWindow[]) => {
  const { rows } = await sql<TerminalRow>`
    select terminal.id, line.id as line_id, line.group_name, line.is_mobile, latest.h3_cell, line.latitude, line.longitude
    from service_lines as line
    join terminals as terminal on terminal.tenant_id = line.tenant_id and terminal.service_line_id = line.id
    left join latest on latest.tenant_id = terminal.tenant_id and latest.terminal_id = terminal.id
    where line.tenant_id = ${tenantId} and (
      line.id = any(${windows.flatMap(({ lineId }) => lineId ?? [])}::bigint[])
      or line.group_name = any(${windows.flatMap(({ group }) => group ?? [])}::text[])
      or ${windows.some(({ area }) => area !== null)} and not line.is_mobile)
    order by terminal.id`.execute(db)
  return rows
}

const DAY_MS = 86_400_000

/** Occurrences cached by day, because time zone conversion is slow and an outage looks up thousands of times of a day. */
const createLookup = () => {
  const known = new Map<StoredWindow, Map<number, Span[]>>()
  return (window: StoredWindow, atMs: number): Span | undefined => {
    const days = known.get(window) ?? new Map<number, Span[]>()
    known.set(window, days)
    const day = Math.floor(atMs / DAY_MS)
    const times = days.get(day) ?? listOccurrences(window, { fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS })
    days.set(day, times)
    return times.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
  }
}

const createPlannedTimes = (windows: readonly StoredWindow[], terminals: readonly TerminalRow[]): PlannedTimes => {
  const members = new Map(
    windows.map((window) => [window, terminals.filter((each) => covers(window, each)).map(({ id }) => id)]),
  )
  const byTerminal = new Map<number, StoredWindow[]>()
  for (const [window, ids] of members)
    for (const id of ids) {
      const own = byTerminal.get(id)
      if (own) own.push(window)
      else byTerminal.set(id, [window])
    }
  const known = new Map<string, readonly Span[]>()
  const findAt = createLookup()
  const findEnd = (own: readonly StoredWindow[], atMs: number): number => {
    let endMs = atMs
    for (let step = 0; step < MAX_WITHOUT_PAUSE; step++) {
      const here = own.flatMap((window) => findAt(window, endMs) ?? [])
      if (here.length === 0) break
      endMs = Math.max(...here.map(({ toMs }) => toMs))
    }
    return endMs
  }
  return {
    windows,
    listTerminals: (window) => members.get(window) ?? [],
    findWindow: (terminalId, atMs) => {
      const own = byTerminal.get(terminalId) ?? []
      const window = own.find((each) => findAt(each, atMs))
      return window ? { name: window.name, endMs: findEnd(own, atMs) } : null
    },
    listTimes: (terminalId, within) => {
      const own = byTerminal.get(terminalId)
      if (!own) return []
      const key = `${within.fromMs} ${within.toMs} ${own.map(({ id }) => id).join(' ')}`
      const times = known.get(key) ?? mergeSpans(own.flatMap((window) => listOccurrences(window, within)))
      known.set(key, times)
      return times
    },
  }
}

/** The maintenance times of the terminals that the user may see, since a time. */
export const readPlannedTimes = async (db: Db, tenantId: string, since: Date): Promise<PlannedTimes> => {
  const windows = await listWindows(db, tenantId, { since })
  return windows.length === 0 ? none : createPlannedTimes(windows, await listTerminalRows(db, tenantId, windows))
}
