import { setImmediate } from 'node:timers/promises'
import { RowScanner, UnexpectedFormat } from './row-scanner.ts'
import { findRows, type Layout, readLayout } from './telemetry-layout.ts'
import { createBatchReader, type TelemetryBatch, type TypeReader } from './telemetry-reader.ts'

/** Reads a response of the stream. */
export const parseTelemetry = (body: string): TelemetryBatch => {
  const scan = beginScan(body)
  try {
    scan?.readRows(Number.POSITIVE_INFINITY)
    if (scan) return scan.finish()
  } catch {
    // The text is formatted unexpectedly: fall back to JSON.parse.
  }
  return parseAsJson(body)
}

const ROWS_PER_CHUNK = 500

/** The same, but yields to the event loop every few rows, because a full batch takes long. */
export const parseTelemetryInTurns = async (body: string): Promise<TelemetryBatch> => {
  const scan = beginScan(body)
  try {
    for (; scan && !scan.isOver(); await setImmediate()) scan.readRows(ROWS_PER_CHUNK)
    if (scan) return scan.finish()
  } catch {
    // Falls back to JSON.parse, as above.
  }
  return parseAsJson(body)
}

export const parseAsJson = (body: string): TelemetryBatch => {
  const layout = readLayout(body)
  const { batch, getReader, finish } = createBatchReader(layout)
  batch.rows = layout.values.length
  for (const row of layout.values) {
    const type = Array.isArray(row) ? row[0] : undefined
    const reader = typeof type === 'string' ? getReader(type) : null
    if (!reader?.read(row as unknown[])) batch.skipped++
  }
  return finish()
}

const COMMA = ','

/** Undefined if the rows cannot be located; then the body is parsed as JSON, which reports what is wrong. */
const beginScan = (body: string): RowScan | undefined => {
  try {
    const found = findRows(body)
    return found && new RowScan(body, found)
  } catch {
    return undefined
  }
}

class RowScan {
  readonly #body: string
  readonly #to: number
  readonly #reader: ReturnType<typeof createBatchReader>
  readonly #scanner: RowScanner
  readonly #row: unknown[] = []
  readonly #newest: NewestRows

  constructor(body: string, { layout, from, to }: { layout: Layout; from: number; to: number }) {
    this.#body = body
    this.#to = to
    this.#reader = createBatchReader(layout)
    this.#scanner = new RowScanner(body, from)
    this.#newest = new NewestRows(this.#reader.batch)
  }

  isOver() {
    return this.#scanner.at >= this.#to
  }

  readRows(limit: number) {
    const { batch, getReader } = this.#reader
    const scanner = this.#scanner
    const row = this.#row
    for (let read = 0; read < limit && scanner.at < this.#to; read++) {
      if (batch.rows++ > 0 && this.#body[scanner.at++] !== COMMA)
        throw new UnexpectedFormat('Rows are not separated by commas.')
      const start = scanner.at
      scanner.open()
      const isOver = scanner.cells(row, 0, 1)
      const reader = typeof row[0] === 'string' ? getReader(row[0]) : null
      if (reader?.newestOnly && !isOver) this.#newest.record(reader, scanner, start, row)
      else {
        if (!isOver) scanner.cells(row, 1)
        if (!reader?.read(row)) batch.skipped++
      }
    }
  }

  finish(): TelemetryBatch {
    if (this.#scanner.at !== this.#to) throw new UnexpectedFormat('The rows do not end where the columns begin.')
    this.#newest.read(this.#scanner, this.#row)
    return this.#reader.finish()
  }
}

/**
 * The position of the newest row of each device. Half of a large catch-up batch are router rows, of which only one per
 * router is used; the others are skipped.
 */
class NewestRows {
  readonly #batch: TelemetryBatch
  readonly #positions = new Map<string, { start: number; atUs: number; reader: TypeReader }>()

  constructor(batch: TelemetryBatch) {
    this.#batch = batch
  }

  record(reader: TypeReader, scanner: RowScanner, start: number, row: unknown[]) {
    const { cells, width, readKey } = reader.newestOnly as NonNullable<TypeReader['newestOnly']>
    const isOver = scanner.cells(row, 1, cells)
    const read = isOver ? row.length : cells + scanner.skipCells()
    const key = read === width ? readKey(row) : null
    if (key === null) {
      this.#batch.skipped++
      return
    }
    this.#batch.routerTimesMs.push(Math.floor(key.atUs / 1000))
    const known = this.#positions.get(key.id)
    if (!known) this.#positions.set(key.id, { start, atUs: key.atUs, reader })
    else if (key.atUs > known.atUs) {
      known.start = start
      known.atUs = key.atUs
    }
  }

  read(scanner: RowScanner, row: unknown[]) {
    const rowCount = this.#batch.routerTimesMs.length
    for (const { start, reader } of this.#positions.values()) {
      scanner.at = start
      scanner.open()
      scanner.cells(row, 0)
      reader.read(row)
    }
    this.#batch.routerTimesMs.length = rowCount
  }
}
