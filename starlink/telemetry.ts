import { RowScanner, UnusualText } from './row-scanner.ts'
import { findRows, type Layout, readLayout } from './telemetry-layout.ts'
import { createBatchReader, type TelemetryBatch, type TypeReader } from './telemetry-reader.ts'

/** Reads an answer of the stream. */
export const parseTelemetry = (body: string): TelemetryBatch => {
  try {
    const found = findRows(body)
    if (found) return scanRows(body, found)
  } catch {
    // Written in an unusual way, or no telemetry at all: parsing it as JSON tells.
  }
  return parseWholly(body)
}

export const parseWholly = (body: string): TelemetryBatch => {
  const layout = readLayout(body)
  const { batch, readerOf, finish } = createBatchReader(layout)
  batch.rows = layout.values.length
  for (const row of layout.values) {
    const type = Array.isArray(row) ? row[0] : undefined
    const reader = typeof type === 'string' ? readerOf(type) : null
    if (!reader?.read(row as unknown[])) batch.skipped++
  }
  return finish()
}

const COMMA = ','

const scanRows = (body: string, { layout, from, to }: { layout: Layout; from: number; to: number }) => {
  const { batch, readerOf, finish } = createBatchReader(layout)
  const scanner = new RowScanner(body, from)
  const row: unknown[] = []
  const newest = new NewestRows(batch)
  while (scanner.at < to) {
    if (batch.rows++ > 0 && body[scanner.at++] !== COMMA) throw new UnusualText('Rows are not separated by commas.')
    const start = scanner.at
    scanner.open()
    const isOver = scanner.cells(row, 0, 1)
    const reader = typeof row[0] === 'string' ? readerOf(row[0]) : null
    if (reader?.newestOnly && !isOver) newest.note(reader, scanner, start, row)
    else {
      if (!isOver) scanner.cells(row, 1)
      if (!reader?.read(row)) batch.skipped++
    }
  }
  if (scanner.at !== to) throw new UnusualText('The rows do not end where the columns begin.')
  newest.read(scanner, row)
  return finish()
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
    const { cells, width, keyOf } = reader.newestOnly as NonNullable<TypeReader['newestOnly']>
    const isOver = scanner.cells(row, 1, cells)
    const read = isOver ? row.length : cells + scanner.skipCells()
    const key = read === width ? keyOf(row) : null
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
