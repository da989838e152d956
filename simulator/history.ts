import { createChanges } from './changes.ts'
import type { Fleet, FleetAccount } from './fleet.ts'
import { createLayout, renderBody } from './layout.ts'
import { SLOT_MS } from './reading.ts'
import { addressRow, terminalRow } from './rows.ts'

const ROWS_PER_BODY = 20_000

/**
 * Past telemetry of an account, in bodies as the stream would have sent them: terminals at every `stepMs`, and at the
 * end the newest addresses. The vendor keeps 8 hours; a demo wants weeks.
 */
export function* telemetryHistory(
  fleet: Fleet,
  account: FleetAccount,
  { fromMs, toMs, stepMs }: { fromMs: number; toMs: number; stepMs: number },
): Generator<string> {
  const world = { fleet, changes: createChanges() }
  const layout = createLayout(fleet.seed, 0)
  let rows: string[] = []
  const take = (row: string | null) => {
    if (row !== null) rows.push(row)
  }
  for (let atMs = Math.ceil(fromMs / stepMs) * stepMs; atMs < toMs; atMs += stepMs) {
    for (const terminal of account.terminals) take(terminalRow(world, layout, terminal, atMs))
    if (rows.length >= ROWS_PER_BODY) {
      yield renderBody(layout, rows)
      rows = []
    }
  }
  const lastSlot = Math.floor(toMs / SLOT_MS) - 1
  for (let back = 19; back >= 0; back--) {
    const atMs = (lastSlot - back) * SLOT_MS
    for (const terminal of account.terminals) take(addressRow(world, layout, terminal, atMs))
  }
  if (rows.length > 0) yield renderBody(layout, rows)
}
