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

export const STEP_MS = 2 * MINUTE_MS
/** About 0.1 KB each, because most share the values of the one before; more would outlive the young generation. */
const BATCH_ROWS = 40_000

/** As far back as pages go; newest first, because rows must be older than the existing ones. */
export const planStatus = (beganMs: number): Piece[] => [
  { fromMs: beganMs - 8 * DAY_MS, toMs: beganMs, stepMs: STEP_MS },
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
  const stopReporting = () => {
    const row = samples.at(-1)
    if (last && row && row !== last) samples[samples.length - 1] = buildSample(fleet, terminal, row.atMs) ?? row
    last = null
  }
  for (let atMs = Math.ceil(fromMs / stepMs) * stepMs; atMs < toMs; atMs += stepMs) {
    const presence = getPresence(fleet, changes, terminal, atMs)
    if (!presence.reports) {
      stopReporting()
      continue
    }
    if (last === null || presence.isCutOff) last = buildSample(fleet, terminal, atMs)
    if (last) samples.push(last.atMs === atMs ? last : { ...last, atMs, atUs: atMs * 1000 })
    // The values of a truncated row differ from those of the next one.
    if (presence.isCutOff) last = null
  }
  stopReporting()
  return samples
}

export interface PastAccount {
  feed: FeedScope
  fleet: Fleet
  terminals: readonly { terminal: Terminal; terminalId: number }[]
  beganMs: number
}

/** So few terminals at a time that their rows of a piece fit in memory. */
export const splitByRows = function* <Each extends PastAccount['terminals'][number]>(
  terminals: readonly Each[],
  rowsEach: number,
) {
  const size = Math.max(1, Math.floor(BATCH_ROWS / rowsEach))
  for (let start = 0; start < terminals.length; start += size) yield terminals.slice(start, start + size)
}

/** Writes when each terminal was up and down in the pieces of a plan, before its samples. */
export const writeStatusHistory = async (
  database: Database,
  { feed, fleet, terminals }: PastAccount,
  plan: readonly Piece[],
) => {
  const rowsEach = Math.max(...plan.map(({ fromMs, toMs, stepMs }) => Math.ceil((toMs - fromMs) / stepMs)))
  for (const some of splitByRows(terminals, rowsEach))
    for (const piece of plan)
      await writePastStatus(database, {
        feed,
        terminals: some.map(({ terminal, terminalId }) => ({
          terminalId,
          samples: buildStatusRows(fleet, terminal, piece),
        })),
        ...piece,
        nowMs: Date.now(),
      })
}
