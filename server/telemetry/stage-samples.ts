import { sql } from 'kysely'
import type pg from 'pg'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { Db } from '../platform/database/database.ts'
import { BinaryCopy } from './binary-copy.ts'
import { copyMeasures, declareRealColumns, sampleColumns } from './measures.ts'
import { tryInsert } from './try-insert.ts'

const COLUMNS = ['terminal_id', 'at', ...sampleColumns, 'uptime_s', 'alerts'].join(', ')
const FIELDS = 4 + sampleColumns.length

/** Rows of one terminal in order of time. */
export interface TerminalRows {
  terminalId: number
  samples: readonly TerminalSample[]
}

interface Span {
  earliestMs: number
  latestMs: number
}

/** Selects the rows of a span that can be stored as samples: the first row of each timestamp. */
export const selectStorableRows = (terminals: readonly TerminalRows[], span: Span): TerminalRows[] =>
  terminals.map((rows) => (areStorable(rows, span) ? rows : { ...rows, samples: storable(rows, span) }))

/** Rows are almost always in order already. */
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
 * Copies samples into the table `staged_samples`, which is dropped with the transaction. They are ordered by terminal and
 * time, so that the index's insertions touch few pages.
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
    terminal_id bigint, at timestamptz, ${declareRealColumns(sampleColumns)}, uptime_s integer, alerts text[]) on commit drop`)
  await copy.send(client, `staged_samples (${COLUMNS})`)
}

/** Writes samples. Existing ones are left alone. Returns whether all were new. */
export const writeSamples = async (
  db: Db,
  client: pg.PoolClient,
  tenantId: string,
  terminals: readonly TerminalRows[],
): Promise<boolean> => {
  await stageSamples(client, terminals)
  const rows = terminals.reduce((count, { samples }) => count + samples.length, 0)
  const statement = sql`
    insert into samples (tenant_id, ${sql.raw(COLUMNS)})
    select ${tenantId}, ${sql.raw(COLUMNS)} from staged_samples`
  // The vendor sends a row once.
  if (await tryInsert(db, client, { table: 'samples', statement, rows })) return true
  await sql`${statement} on conflict do nothing`.execute(db)
  return false
}
