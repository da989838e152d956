import { sql } from 'kysely'
import type pg from 'pg'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { Db } from '../db.ts'
import { BinaryCopy } from './binary-copy.ts'

const COLUMNS = `terminal_id, at, downlink_mbps, uplink_mbps, latency_ms, ping_drop, obstruction, signal_quality,
  uptime_s, alerts`

/** Rows of one terminal in the order of time. */
export interface TerminalRows {
  terminalId: number
  samples: readonly TerminalSample[]
}

interface Span {
  earliestMs: number
  latestMs: number
}

/**
 * Puts the samples of a span into the table `staged_samples`, which is gone with the transaction; of one moment the first.
 * They are ordered by terminal and time, which keeps the index's insertions on few pages.
 */
export const stageSamples = async (
  client: pg.PoolClient,
  terminals: readonly TerminalRows[],
  { earliestMs, latestMs }: Span,
): Promise<void> => {
  const copy = new BinaryCopy()
  for (const { terminalId, samples } of terminals) {
    let lastUs = Number.NaN
    for (const sample of samples) {
      if (sample.atMs < earliestMs || sample.atMs > latestMs || sample.atUs === lastUs) continue
      lastUs = sample.atUs
      copy.row(10)
      copy.int8(terminalId)
      copy.timestamp(sample.atUs)
      copy.float4(sample.downlinkMbps)
      copy.float4(sample.uplinkMbps)
      copy.float4(sample.latencyMs)
      copy.float4(sample.pingDrop)
      copy.float4(sample.obstruction)
      copy.float4(sample.signalQuality)
      copy.int4(sample.uptimeS)
      if (sample.alerts.length === 0) copy.null()
      else copy.texts(sample.alerts)
    }
  }
  await client.query(`create temp table staged_samples (
    terminal_id bigint, at timestamptz, downlink_mbps real, uplink_mbps real, latency_ms real, ping_drop real,
    obstruction real, signal_quality real, uptime_s integer, alerts text[]) on commit drop`)
  await copy.send(client, `staged_samples (${COLUMNS})`)
}

/** Writes the samples of a span; one that is there already stays as it is. */
export const writeSamples = async (
  db: Db,
  client: pg.PoolClient,
  tenantId: string,
  terminals: readonly TerminalRows[],
  span: Span,
): Promise<void> => {
  await stageSamples(client, terminals, span)
  const insert = sql`
    insert into samples (tenant_id, ${sql.raw(COLUMNS)})
    select ${tenantId}, ${sql.raw(COLUMNS)} from staged_samples`
  // The vendor sends a row once, and looking for each before inserting it takes twice as long. So that comes second.
  await client.query('savepoint before_samples')
  try {
    await insert.execute(db)
  } catch (error) {
    if (!isTwice(error)) throw error
    await client.query('rollback to savepoint before_samples')
    await sql`${insert} on conflict do nothing`.execute(db)
  }
}

const isTwice = (error: unknown) => (error as { code?: string }).code === '23505'
