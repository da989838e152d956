import { sql } from 'kysely'
import type pg from 'pg'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { Db } from '../platform/database/database.ts'
import { BinaryCopy } from './binary-copy.ts'
import { copyMeasures, realColumns, sampleColumns } from './measures.ts'
import { tryInsert } from './try-insert.ts'

const COLUMNS = ['terminal_id', 'at', ...sampleColumns, 'uptime_s', 'alerts'].join(', ')
const FIELDS = 4 + sampleColumns.length

/** Rows of one terminal in the order of time. */
export interface TerminalRows {
  terminalId: number
  samples: readonly TerminalSample[]
}

interface Span {
  earliestMs: number
  latestMs: number
}

/** The rows of a span, of each moment the first: what can be stored as samples. */
export const storableRows = (terminals: readonly TerminalRows[], span: Span): TerminalRows[] =>
  terminals.map((rows) => (areStorable(rows, span) ? rows : { ...rows, samples: storable(rows, span) }))

/** As they almost always are. */
const areStorable = ({ samples }: TerminalRows, { earliestMs, latestMs }: Span) => {
  let lastUs = Number.NaN
  for (const { atUs } of samples) {
    if (atUs === lastUs) return false
    lastUs = atUs
  }
  const first = samples[0]
  const last = samples.at(-1)
  return first !== undefined && last !== undefined && first.atMs >= earliestMs && last.atMs <= latestMs
}

const storable = ({ samples }: TerminalRows, { earliestMs, latestMs }: Span) =>
  samples.filter(({ atMs, atUs }, index) => atMs >= earliestMs && atMs <= latestMs && atUs !== samples[index - 1]?.atUs)

/**
 * Puts samples into the table `staged_samples`, which is gone with the transaction. They are ordered by terminal and time,
 * which keeps the index's insertions on few pages.
 */
export const stageSamples = async (client: pg.PoolClient, terminals: readonly TerminalRows[]): Promise<void> => {
  const copy = new BinaryCopy()
  for (const { terminalId, samples } of terminals) {
    for (const sample of samples) {
      copy.row(FIELDS)
      copy.int8(terminalId)
      copy.timestamp(sample.atUs)
      copyMeasures(copy, sample.values)
      copy.int4(sample.uptimeS)
      if (sample.alerts.length === 0) copy.null()
      else copy.texts(sample.alerts)
    }
  }
  await client.query(`create temp table staged_samples (
    terminal_id bigint, at timestamptz, ${realColumns(sampleColumns)}, uptime_s integer, alerts text[]) on commit drop`)
  await copy.send(client, `staged_samples (${COLUMNS})`)
}

/** Writes samples; one that is there already stays as it is. Answers whether all were new. */
export const writeSamples = async (
  db: Db,
  client: pg.PoolClient,
  tenantId: string,
  terminals: readonly TerminalRows[],
): Promise<boolean> => {
  await stageSamples(client, terminals)
  const insert = sql`
    insert into samples (tenant_id, ${sql.raw(COLUMNS)})
    select ${tenantId}, ${sql.raw(COLUMNS)} from staged_samples`
  // The vendor sends a row once.
  if (await tryInsert(db, client, insert)) return true
  await sql`${insert} on conflict do nothing`.execute(db)
  return false
}
