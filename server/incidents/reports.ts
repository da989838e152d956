import { latLngToCell } from 'h3-js'
import { sql } from 'kysely'
import type { Db } from '../platform/database/database.ts'
import { SAMPLE_RETENTION_DAYS } from '../telemetry/partitions.ts'
import { getBucketStart } from '../telemetry/tiers.ts'
import { getLossKey, type Loss, type Report } from './loss.ts'

const MINUTE_MS = 60_000
const CHUNK = 2_000
const CELL_RESOLUTION = 5
/** The samples of a chunk are read in one window, which must not exceed the shortest loss. */
const CHUNK_SPREAD_MS = MINUTE_MS
const BEFORE_MS = 3 * MINUTE_MS
const AROUND_MS = MINUTE_MS
/** Only the latest software version is stored, so the version at a given time is known for a short while only. */
const SOFTWARE_KNOWN_FOR_MS = 10 * MINUTE_MS

export interface Begun {
  terminalId: number
  lostAtMs: number
}

export interface Ended extends Begun {
  backAtMs: number
}

interface SampleRow {
  terminal_id: number
  alerts: string
  signal_quality: number | null
  obstruction: number | null
  last_ping_drop: number | null
  booted_at: Date | null
}

interface Span {
  from: Date
  to: Date
}

const getBucket = (atMs: number) => getBucketStart(atMs, 15 * MINUTE_MS)

/** One day more than the retention of samples, because partitions are dropped by whole days. */
const findSamplesBegin = (until: Date) => until.getTime() - (SAMPLE_RETENTION_DAYS + 1) * 24 * 60 * MINUTE_MS

/** Groups times whose samples are read together; before the first samples, by bucket of the tier. */
const chunk = <Each>(moments: readonly Each[], getMs: (each: Each) => number, samplesFromMs: number): Each[][] => {
  const chunks: Each[][] = []
  let fromMs = Number.NEGATIVE_INFINITY
  const belongs = (atMs: number) =>
    atMs >= samplesFromMs ? atMs - fromMs <= CHUNK_SPREAD_MS : getBucket(atMs) === getBucket(fromMs)
  for (const each of moments.toSorted((one, other) => getMs(one) - getMs(other))) {
    const last = chunks.at(-1)
    if (last && last.length < CHUNK && belongs(getMs(each))) last.push(each)
    else {
      chunks.push([each])
      fromMs = getMs(each)
    }
  }
  return chunks
}

// Without a join, so that a distributed database can push it down to each shard.
const readSamples = async (db: Db, tenantId: string, ids: number[], { from, to }: Span) => {
  const { rows } = await sql<SampleRow>`
    select terminal_id, coalesce(string_agg(array_to_string(alerts, ','), ','), '') as alerts,
      (array_agg(signal_quality order by at desc) filter (where signal_quality is not null))[1] as signal_quality,
      (array_agg(obstruction order by at desc) filter (where obstruction is not null))[1] as obstruction,
      (array_agg(ping_drop order by at desc))[1] as last_ping_drop,
      max(at - uptime_s * interval '1 second') as booted_at
    from samples
    where tenant_id = ${tenantId} and terminal_id = any(${ids}::bigint[]) and at > ${from} and at <= ${to}
    group by terminal_id`.execute(db)
  return rows
}

/** For times before the first samples. */
const readTier = async (db: Db, tenantId: string, ids: number[], { from, to }: Span) => {
  const { rows } = await sql<SampleRow>`
    select terminal_id, coalesce(string_agg(array_to_string(alerts, ','), ','), '') as alerts,
      (array_agg(signal_quality_last order by at desc) filter (where signal_quality_last is not null))[1] as signal_quality,
      (array_agg(obstruction_last order by at desc) filter (where obstruction_last is not null))[1] as obstruction,
      null::real as last_ping_drop, null::timestamptz as booted_at
    from tier_15min
    where tenant_id = ${tenantId} and terminal_id = any(${ids}::bigint[])
      and at > ${from}::timestamptz - interval '15 minutes' and at <= ${to}
    group by terminal_id`.execute(db)
  return rows
}

const readRows = async (db: Db, tenantId: string, ids: number[], span: Span, samplesFromMs: number) => {
  const samples = span.to.getTime() < samplesFromMs ? [] : await readSamples(db, tenantId, ids, span)
  const rows = new Map(samples.map((row) => [row.terminal_id, row]))
  const missing = ids.filter((id) => !rows.has(id))
  if (missing.length > 0) for (const row of await readTier(db, tenantId, missing, span)) rows.set(row.terminal_id, row)
  return rows
}

interface NewestRow {
  terminal_id: number
  at: Date
  software_version: string | null
  h3_cell: string | null
  latitude: number | null
  longitude: number | null
}

const readNewest = async (db: Db, tenantId: string, losses: readonly Begun[]) => {
  const ids = [...new Set(losses.map(({ terminalId }) => terminalId))]
  const { rows } = await sql<NewestRow>`
    select latest.terminal_id, latest.at, latest.software_version, latest.h3_cell, line.latitude, line.longitude
    from latest
    join terminals as terminal on terminal.tenant_id = latest.tenant_id and terminal.id = latest.terminal_id
    left join service_lines as line on line.tenant_id = terminal.tenant_id and line.id = terminal.service_line_id
    where latest.tenant_id = ${tenantId} and latest.terminal_id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.terminal_id, row]))
}

export const toCell = ({ h3_cell, latitude, longitude }: Pick<NewestRow, 'h3_cell' | 'latitude' | 'longitude'>) =>
  h3_cell ?? (latitude === null || longitude === null ? null : latLngToCell(latitude, longitude, CELL_RESOLUTION))

const toReport = (row: SampleRow | undefined, newest: NewestRow | undefined, atMs: number): Report | null => {
  if (!row) return null
  const isOfThen = newest && Math.abs(newest.at.getTime() - atMs) <= SOFTWARE_KNOWN_FOR_MS
  return {
    alerts: [...new Set(row.alerts.split(',').filter(Boolean))].sort(),
    signalQuality: row.signal_quality,
    obstruction: row.obstruction,
    softwareVersion: isOfThen ? newest.software_version : null,
  }
}

const listRequestedReboots = async (db: Db, tenantId: string, losses: readonly Begun[]) => {
  const { rows } = await sql<{ terminal_id: number; lost_at: Date; requested_at: Date }>`
    select loss.terminal_id, loss.lost_at, max(command.requested_at) as requested_at
    from unnest(
      ${losses.map(({ terminalId }) => terminalId)}::bigint[],
      ${losses.map(({ lostAtMs }) => new Date(lostAtMs).toISOString())}::timestamptz[]
    ) as loss (terminal_id, lost_at)
    join commands as command on command.tenant_id = ${tenantId} and command.terminal_id = loss.terminal_id
      and command.kind = 'reboot' and command.accepted_at is not null
      and command.requested_at between loss.lost_at - interval '30 minutes' and loss.lost_at + interval '1 minute'
    group by loss.terminal_id, loss.lost_at`.execute(db)
  return new Map(
    rows.map((row) => [
      getLossKey({ terminalId: row.terminal_id, lostAtMs: row.lost_at.getTime() }),
      row.requested_at.getTime(),
    ]),
  )
}

type BeginFacts = Pick<Loss, 'cell' | 'before' | 'lostPingsFirst' | 'rebootRequestedAtMs'>

/** What is known about the start of losses. */
export const readBeginnings = async (db: Db, tenantId: string, losses: readonly Begun[], until: Date) => {
  const found = new Map<string, BeginFacts>()
  const samplesFromMs = findSamplesBegin(until)
  const newest = await readNewest(db, tenantId, losses)
  const reboots = await listRequestedReboots(db, tenantId, losses)
  for (const part of chunk(losses, ({ lostAtMs }) => lostAtMs, samplesFromMs)) {
    const ids = part.map(({ terminalId }) => terminalId)
    const firstMs = (part[0] as Begun).lostAtMs
    const span = {
      from: new Date(firstMs - BEFORE_MS),
      to: new Date((part.at(-1) as Begun).lostAtMs + AROUND_MS),
    }
    const rows = await readRows(db, tenantId, ids, span, samplesFromMs)
    for (const loss of part) {
      const row = rows.get(loss.terminalId)
      const terminal = newest.get(loss.terminalId)
      found.set(getLossKey(loss), {
        cell: terminal ? toCell(terminal) : null,
        before: toReport(row, terminal, loss.lostAtMs),
        lostPingsFirst: (row?.last_ping_drop ?? 0) >= 1,
        rebootRequestedAtMs: reboots.get(getLossKey(loss)) ?? null,
      })
    }
  }
  return found
}

/** What is known about the end of losses. */
export const readEnds = async (db: Db, tenantId: string, losses: readonly Ended[], until: Date) => {
  const found = new Map<string, Loss['after']>()
  const samplesFromMs = findSamplesBegin(until)
  const newest = await readNewest(db, tenantId, losses)
  for (const part of chunk(losses, ({ backAtMs }) => backAtMs, samplesFromMs)) {
    const ids = part.map(({ terminalId }) => terminalId)
    const span = {
      from: new Date((part[0] as Ended).backAtMs - AROUND_MS),
      to: new Date((part.at(-1) as Ended).backAtMs + AROUND_MS),
    }
    const rows = await readRows(db, tenantId, ids, span, samplesFromMs)
    for (const loss of part) {
      const row = rows.get(loss.terminalId)
      const report = toReport(row, newest.get(loss.terminalId), loss.backAtMs)
      found.set(getLossKey(loss), report && { ...report, bootedAtMs: row?.booted_at?.getTime() ?? null })
    }
  }
  return found
}
