import type { TerminalRows } from '#server/telemetry/stage-samples.ts'
import { createChanges } from '#simulator/changes.ts'
import type { Fleet, Terminal } from '#simulator/fleet.ts'
import { readTerminal } from '#simulator/reading.ts'
import { getCell } from '#simulator/rows.ts'
import { terminalMeasures } from '#starlink/telemetry-measures.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { Piece } from './history-plan.ts'

/** About 0.4 KB each, so a batch takes 20 MB whatever the size of the fleet. */
const BATCH_ROWS = 50_000

/** The rows of some terminals in a piece. */
interface Batch {
  rows: TerminalRows[]
  /** Whether the piece is complete with this batch. */
  isLast: boolean
}

const changes = createChanges()

export const buildSample = (fleet: Fleet, terminal: Terminal, atMs: number): TerminalSample | null => {
  const reading = readTerminal(fleet, changes, terminal, atMs)
  return (
    reading && {
      ...reading,
      values: terminalMeasures.map(({ name }) => reading[name]),
      deviceId: terminal.terminalId,
      atMs,
      atUs: atMs * 1000,
      h3Cell: getCell(fleet.seed, terminal, atMs),
      countryCode: 'US',
    }
  )
}

const buildSamples = (fleet: Fleet, terminal: Terminal, { fromMs, toMs, stepMs }: Piece) => {
  const samples: TerminalSample[] = []
  for (let atMs = Math.ceil(fromMs / stepMs) * stepMs; atMs < toMs; atMs += stepMs) {
    const sample = buildSample(fleet, terminal, atMs)
    if (sample) samples.push(sample)
  }
  return samples
}

/** Builds a piece for a few terminals at a time, each batch on demand: at most `maxRows` rows exist at once. */
export const buildBatches = function* (
  fleet: Fleet,
  terminals: readonly { terminal: Terminal; terminalId: number }[],
  piece: Piece,
  maxRows = BATCH_ROWS,
): Generator<Batch> {
  const rowsPerTerminal = Math.ceil((piece.toMs - piece.fromMs) / piece.stepMs)
  const size = Math.max(1, Math.floor(maxRows / rowsPerTerminal))
  for (let start = 0; start < terminals.length; start += size)
    yield {
      rows: terminals.slice(start, start + size).map(({ terminal, terminalId }) => ({
        terminalId,
        samples: buildSamples(fleet, terminal, piece),
      })),
      isLast: start + size >= terminals.length,
    }
}
