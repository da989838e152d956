import type { Database } from '#server/platform/database/database.ts'
import { writePastStatus } from '#server/telemetry/past-status.ts'
import { createChanges } from '#simulator/changes.ts'
import type { Fleet, Terminal } from '#simulator/fleet.ts'
import { getPresence } from '#simulator/presence.ts'
import { SLOT_MS } from '#simulator/reading.ts'
import { HISTORY_DAYS, type Piece } from './history-plan.ts'
import { buildStatusRows, type PastAccount, STEP_MS, splitByRows } from './past-status.ts'

const DAY_MS = 86_400_000

const changes = createChanges()

/** The last day on which a terminal reported, if it does not report when the account is connected or at present. */
const findLastDay = (fleet: Fleet, terminal: Terminal, beganMs: number, nowMs: number): Piece | null => {
  const before = getPresence(fleet, changes, terminal, beganMs)
  if (before.reports && getPresence(fleet, changes, terminal, nowMs).reports) return null
  // Rows of the first seconds of an outage still arrive.
  const toMs = before.reports ? beganMs : Math.min(before.sinceMs + SLOT_MS, beganMs)
  const isOutOfReach = toMs < beganMs - HISTORY_DAYS * DAY_MS
  return isOutOfReach ? null : { fromMs: toMs - DAY_MS, toMs, stepMs: STEP_MS }
}

/**
 * Writes the status and the last values of the terminals that do not report: the live feed cannot tell them from ones that
 * never did. They are few, so that the list of a large fleet is true soon.
 */
export const writeLastReports = async (
  database: Database,
  { feed, fleet, terminals, beganMs }: PastAccount,
  nowMs: number,
) => {
  const silent = terminals.flatMap((each) => {
    const day = findLastDay(fleet, each.terminal, beganMs, nowMs)
    return day ? [{ ...each, day }] : []
  })
  for (const some of splitByRows(silent, DAY_MS / STEP_MS))
    await writePastStatus(database, {
      feed,
      terminals: some.map(({ terminal, terminalId, day }) => ({
        terminalId,
        samples: buildStatusRows(fleet, terminal, day),
      })),
      toMs: beganMs,
      stepMs: SLOT_MS,
      nowMs,
    })
}
