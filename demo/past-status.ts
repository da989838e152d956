import type { Database } from '#server/platform/database/database.ts'
import type { FeedScope } from '#server/telemetry/dirty-buckets.ts'
import { writePastStatus } from '#server/telemetry/past-status.ts'
import { createChanges } from '#simulator/changes.ts'
import type { Fleet, Terminal } from '#simulator/fleet.ts'
import { getPresence } from '#simulator/presence.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import { buildSample } from './history-batches.ts'
import type { Piece } from './history-plan.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** As far back as pages go; newest first, because rows must be older than the existing ones. */
export const planStatus = (beganMs: number): Piece[] => [
  { fromMs: beganMs - 8 * DAY_MS, toMs: beganMs, stepMs: 2 * MINUTE_MS },
  { fromMs: beganMs - 30 * DAY_MS, toMs: beganMs - 8 * DAY_MS, stepMs: 5 * MINUTE_MS },
]

const changes = createChanges()

/**
 * The rows from which a status is derived. Only rows at which a terminal stops or resumes reporting have their own values;
 * the others repeat them, which takes a tenth of the time.
 */
export const buildStatusRows = (fleet: Fleet, terminal: Terminal, { fromMs, toMs, stepMs }: Piece) => {
  const samples: TerminalSample[] = []
  let last: TerminalSample | null = null
  for (let atMs = Math.ceil(fromMs / stepMs) * stepMs; atMs < toMs; atMs += stepMs) {
    const presence = getPresence(fleet, changes, terminal, atMs)
    const isLastRow = atMs + stepMs >= toMs
    if (!presence.reports) last = null
    else if (last === null || presence.isCutOff || isLastRow) last = buildSample(fleet, terminal, atMs)
    if (last) samples.push(last.atMs === atMs ? last : { ...last, atMs, atUs: atMs * 1000 })
    // The values of a truncated row differ from those of the next one.
    if (presence.reports && presence.isCutOff) last = null
  }
  return samples
}

interface PastStatus {
  feed: FeedScope
  fleet: Fleet
  terminals: readonly { terminal: Terminal; terminalId: number }[]
  beganMs: number
}

/** Writes when each terminal was up and down in the past 30 days, before its samples. */
export const writeStatusHistory = async (database: Database, { feed, fleet, terminals, beganMs }: PastStatus) => {
  for (const piece of planStatus(beganMs))
    await writePastStatus(database, {
      feed,
      terminals: terminals.map(({ terminal, terminalId }) => ({
        terminalId,
        samples: buildStatusRows(fleet, terminal, piece),
      })),
      ...piece,
      nowMs: Date.now(),
    })
}
