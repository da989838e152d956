import { sql } from 'kysely'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { Db } from '../platform/database/database.ts'

/** Pages show the track of a day. */
const TRACK_MS = 86_400_000

export interface Move {
  terminalId: number
  atMs: number
  h3Cell: string
}

/** Each change from one cell to another. A stationary dish has none, so a fleet of them takes no space. */
export const listMoves = (terminalId: number, samples: readonly TerminalSample[], before: string | null): Move[] => {
  const moves: Move[] = []
  const fromMs = (samples.at(-1)?.atMs ?? 0) - TRACK_MS
  let cell = before
  for (const { atMs, h3Cell } of samples) {
    if (h3Cell === null || h3Cell === cell) continue
    if (cell !== null && atMs >= fromMs) moves.push({ terminalId, atMs, h3Cell })
    cell = h3Cell
  }
  return moves
}

/** Adds moves, and removes those of the same terminals that are more than a day older. */
export const writeMoves = async (db: Db, tenantId: string, moves: readonly Move[]): Promise<void> => {
  if (moves.length === 0) return
  await sql`
    insert into track_points (tenant_id, terminal_id, at, h3_cell)
    select ${tenantId}, terminal_id, at, h3_cell
    from unnest(
      ${moves.map(({ terminalId }) => terminalId)}::bigint[],
      ${moves.map(({ atMs }) => new Date(atMs).toISOString())}::timestamptz[],
      ${moves.map(({ h3Cell }) => h3Cell)}::text[]
    ) as move (terminal_id, at, h3_cell)
    on conflict do nothing`.execute(db)
  const newestMs = moves.reduce((newest, { atMs }) => Math.max(newest, atMs), 0)
  await db
    .deleteFrom('track_points')
    .where('tenant_id', '=', tenantId)
    .where('terminal_id', 'in', [...new Set(moves.map(({ terminalId }) => terminalId))])
    .where('at', '<', new Date(newestMs - TRACK_MS))
    .execute()
}
