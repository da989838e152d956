import { setImmediate } from 'node:timers/promises'
import { RowScanner, UnusualText } from './row-scanner.ts'
import { findRows, type Layout, readLayout } from './telemetry-layout.ts'
import { createBatchReader, type TelemetryBatch, type TypeReader } from './telemetry-reader.ts'

/** Reads an answer of the stream. */
export const parseTelemetry = (body: string): TelemetryBatch => {
  const scan = beginScan(body)
  try {
    scan?.readRows(Number.POSITIVE_INFINITY)
    if (scan) return scan.finish()
  } catch {
    // Written in an unusual way: parsing it as JSON tells.
  }
  return parseWholly(body)
}

const ROWS_AT_ONCE = 500

/** The same, letting others have their turn every few rows: a full batch would keep them waiting for long. */
export const parseTelemetryInTurns = async (body: string): Promise<TelemetryBatch> => {
  const scan = beginScan(body)
  try {
    for (; scan && !scan.isOver(); await setImmediate()) scan.readRows(ROWS_AT_ONCE)
    if (scan) return scan.finish()
  } catch {
    // As above.
  }
  return parseWholly(body)
}

export const parseWholly = (body: string): TelemetryBatch => {
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

/** Undefined where the rows cannot be found, or are no telemetry at all: parsing it as JSON tells. */
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
        throw new UnusualText('Rows are not separated by commas.')
      const start = scanner.at
      scanner.open()
      const isOver = scanner.cells(row, 0, 1)
      const reader = typeof row[0] === 'string' ? getReader(row[0]) : null
      if (reader?.newestOnly && !isOver) this.#newest.note(reader, scanner, start, row)
      else {
        if (!isOver) scanner.cells(row, 1)
        if (!reader?.read(row)) batch.skipped++
      }
    }
  }

  finish(): TelemetryBatch {
    if (this.#scanner.at !== this.#to) throw new UnusualText('The rows do not end where the columns begin.')
    this.#newest.read(this.#scanner, this.#row)
    return this.#reader.finish()
  }
}

/**
 * Where the newest row of each device begins. A batch that makes up for hours is half router rows, of which one each is
 * used: the others are passed over.
 */
class NewestRows {
  readonly #batch: TelemetryBatch
  readonly #places = new Map<string, { start: number; atUs: number; reader: TypeReader }>()

  constructor(batch: TelemetryBatch) {
    this.#batch = batch
  }

  note(reader: TypeReader, scanner: RowScanner, start: number, row: unknown[]) {
    const { cells, width, readKey } = reader.newestOnly as NonNullable<TypeReader['newestOnly']>
    const isOver = scanner.cells(row, 1, cells)
    const read = isOver ? row.length : cells + scanner.skipCells()
    const key = read === width ? readKey(row) : null
    if (key === null) {
      this.#batch.skipped++
      return
    }
    this.#batch.routerTimesMs.push(Math.floor(key.atUs / 1000))
    const known = this.#places.get(key.id)
    if (!known) this.#places.set(key.id, { start, atUs: key.atUs, reader })
    else if (key.atUs > known.atUs) {
      known.start = start
      known.atUs = key.atUs
    }
  }

  read(scanner: RowScanner, row: unknown[]) {
    const told = this.#batch.routerTimesMs.length
    for (const { start, reader } of this.#places.values()) {
      scanner.at = start
      scanner.open()
      scanner.cells(row, 0)
      reader.read(row)
    }
    this.#batch.routerTimesMs.length = told
  }
}
