import type { Changes } from './changes.ts'
import type { Fleet, FleetAccount, Terminal } from './fleet.ts'
import { createLayout, type Layout, renderBody } from './layout.ts'
import { hash, unit } from './noise.ts'
import { PURPOSE } from './purposes.ts'
import { reportsAt, SLOT_MS } from './reading.ts'
import { renderAddressRow, renderRouterRow, renderTerminalRow } from './rows.ts'

/** How long the vendor stores telemetry. */
export const RETENTION_MS = 8 * 3_600_000
const DROP_OUT_MS = 45_000
/** A large batch must not block the event loop. */
const CHUNK_ROWS = 4_000

export type Oddities = { malformedRows: boolean; unknownColumns: boolean; dropOuts: boolean }

/** One row per slot: of a terminal, its addresses or its nth router. */
type Entry = { terminal: Terminal; kind: 'u' | 'i' | 'r'; nth: number; phaseMs: number }

/**
 * The rows of one account, oldest first, with a read index. Nothing is stored: row n is computed from n, so the index
 * is a single number for a fleet of any size.
 */
export const createStream = (fleet: Fleet, changes: Changes, account: FleetAccount, startMs: number) => {
  const entries = listEntries(fleet, account)
  const state = { fleet, changes }
  const findFirstPosition = (atMs: number) => Math.ceil(atMs / SLOT_MS) * entries.length
  const getTime = (position: number) => {
    const slot = Math.floor(position / entries.length)
    return slot * SLOT_MS + (entries[position % entries.length]?.phaseMs ?? 0)
  }
  const first = findFirstPosition(startMs)
  let index = first
  let responses = 0

  const isDroppedOut = (terminal: Terminal, atMs: number) =>
    unit(fleet.seed, terminal.index, Math.floor(atMs / DROP_OUT_MS), PURPOSE.dropOut) < 0.2

  const renderRow = (layout: Layout, position: number, dropOuts: boolean) => {
    const entry = entries[position % entries.length]
    if (!entry) return null
    const atMs = getTime(position)
    const { terminal } = entry
    if (entry.kind === 'i') return renderAddressRow(state, layout, terminal, atMs)
    if (dropOuts && isDroppedOut(terminal, atMs)) return null
    if (entry.kind === 'u') return renderTerminalRow(state, layout, terminal, atMs)
    return renderRouterRow(state, layout, terminal, entry.nth, atMs)
  }

  return {
    /** The measurement time of the last delivered row. */
    deliveredUntilMs: () => getTime(index - 1),
    /** The number of rows per terminal that a reader must have received from `fromMs` or the start up to a moment. */
    countTerminalRows(untilMs: number, { fromMs = startMs, dropOuts = false } = {}) {
      const counts = new Map<string, number>()
      for (let position = Math.max(first, findFirstPosition(fromMs)); getTime(position) <= untilMs; position++) {
        const entry = entries[position % entries.length]
        if (entry?.kind !== 'u') continue
        const { terminal } = entry
        const atMs = getTime(position)
        if ((dropOuts && isDroppedOut(terminal, atMs)) || !reportsAt(fleet, changes, terminal, atMs)) continue
        counts.set(terminal.terminalId, (counts.get(terminal.terminalId) ?? 0) + 1)
      }
      return counts
    },
    /** A batch that grows while its caller lingers. Only `commit` advances the read index. */
    open(batchSize: number, oddities: Oddities) {
      const layout = createLayout(fleet.seed, responses)
      const rows: string[] = []
      let position = index
      return {
        isFull: () => rows.length >= batchSize,
        /** Adds a chunk of the rows that are readable so far. Returns whether there are more. */
        fill(nowMs: number, readableUntilMs: number) {
          position = Math.max(position, findFirstPosition(nowMs - RETENTION_MS))
          for (let taken = 0; rows.length < batchSize && getTime(position) <= readableUntilMs; taken++) {
            if (taken === CHUNK_ROWS) return true
            const row = renderRow(layout, position, oddities.dropOuts)
            if (row !== null) rows.push(row)
            position++
          }
          return false
        },
        commit() {
          index = position
          responses++
          return renderWithOddities(layout, rows, oddities)
        },
      }
    },
  }
}

const listEntries = ({ seed }: Fleet, { terminals }: FleetAccount): Entry[] =>
  terminals
    .flatMap((terminal): Entry[] => {
      const phaseMs = hash(seed, terminal.index, 0, PURPOSE.phase) % SLOT_MS
      return [
        { terminal, kind: 'u', nth: 0, phaseMs },
        { terminal, kind: 'i', nth: 0, phaseMs },
        ...terminal.routerIds.map(
          (_, nth): Entry => ({
            terminal,
            kind: 'r',
            nth,
            phaseMs: hash(seed, terminal.index, nth, PURPOSE.routerPhase) % SLOT_MS,
          }),
        ),
      ]
    })
    .sort((a, b) => a.phaseMs - b.phaseMs)

const MALFORMED = ['null', '["u"]', '["u","yesterday","ut"]', '{"DeviceType":"u"}', '[]']

const renderWithOddities = (layout: Layout, rows: string[], { malformedRows, unknownColumns }: Oddities) => {
  let written = rows
  let shown = layout
  if (unknownColumns) {
    written = rows.map((row) => (row.startsWith('["u"') ? `${row.slice(0, -1)},0.5]` : row))
    written.push('["d",1730564202000000000,"unknown"]')
    shown = {
      ...layout,
      columns: {
        ...layout.columns,
        u: [...(layout.columns.u ?? []), 'BeamTemperature'],
        d: ['DeviceType', 'UtcTimestampNs', 'Note'],
      },
    }
  }
  if (malformedRows) {
    written = written.flatMap((row, nth) => {
      const junk = nth % 10 === 0 ? MALFORMED[(nth / 10) % MALFORMED.length] : undefined
      return junk === undefined ? [row] : [junk, row]
    })
  }
  return renderBody(shown, written, unknownColumns ? { d: 'UserTerminalDataUsage' } : {})
}
