import { sql } from 'kysely'
import type pg from 'pg'
import { toStorableJson } from '#starlink/storable-json.ts'
import type { AddressSample } from '#starlink/telemetry-address.ts'
import type { RouterSample } from '#starlink/telemetry-router.ts'
import type { TerminalSample } from '#starlink/telemetry-terminal.ts'
import type { Db } from '../platform/database/database.ts'
import { refreshStatistics } from '../platform/database/refresh-statistics.ts'
import { BinaryCopy } from './binary-copy.ts'
import { copyMeasures, declareRealColumns, sampleColumns } from './measures.ts'

export interface NewestTerminal {
  terminalId: number
  lastResponseAtMs: number | null
  sample: TerminalSample
  /** Values that the vendor sent under names unknown to this version. */
  extra: Record<string, unknown> | null
}

// PostgreSQL refuses to update the same row twice, so each list holds only the newest row of each device.

// The vendor does not repeat these in each row, so older values are retained.
const RETAINED = ['h3_cell', 'software_version', 'country_code']
const REPLACED = ['at', 'last_response_at', ...sampleColumns, 'uptime_s', 'alerts']
const COLUMNS = ['terminal_id', ...REPLACED, ...RETAINED].join(', ')
const ASSIGNMENTS = [
  ...REPLACED.map((name) => `${name} = excluded.${name}`),
  ...RETAINED.map((name) => `${name} = coalesce(excluded.${name}, known.${name})`),
].join(', ')
/** A restarted device counts its uptime from zero. */
const COUNT_RESTART = 'restarts = known.restarts + coalesce(excluded.uptime_s < known.uptime_s, false)::integer'
const FIELDS = 9 + sampleColumns.length

export const writeNewestTerminals = async (
  db: Db,
  client: pg.PoolClient,
  tenantId: string,
  terminals: readonly NewestTerminal[],
): Promise<void> => {
  if (terminals.length === 0) return
  const copy = new BinaryCopy()
  for (const { terminalId, lastResponseAtMs, sample, extra } of terminals) {
    copy.row(FIELDS)
    copy.int8(terminalId)
    copy.timestamp(sample.atUs)
    if (lastResponseAtMs === null) copy.null()
    else copy.timestamp(lastResponseAtMs * 1000)
    copyMeasures(copy, sample.values)
    copy.int4(sample.uptimeS)
    copy.texts(sample.alerts)
    copy.text(sample.h3Cell)
    copy.text(sample.softwareVersion)
    copy.text(sample.countryCode)
    copy.text(extra && toStorableJson(JSON.stringify(extra)))
  }
  await client.query(`create temp table staged_latest (
    terminal_id bigint, at timestamptz, last_response_at timestamptz, ${declareRealColumns(sampleColumns)}, uptime_s integer,
    alerts text[], h3_cell text, software_version text, country_code text, extra text) on commit drop`)
  await copy.send(client, 'staged_latest')
  await sql`
    insert into latest as known (tenant_id, ${sql.raw(COLUMNS)}, extra)
    select ${tenantId}, ${sql.raw(COLUMNS)}, extra::jsonb from staged_latest
    on conflict (tenant_id, terminal_id) do update set ${sql.raw(ASSIGNMENTS)}, extra = excluded.extra,
      ${sql.raw(COUNT_RESTART)}
    where excluded.at > known.at`.execute(db)
  await refreshStatistics(db, { latest: terminals.length })
}

export const writeNewestRouters = async (
  db: Db,
  client: pg.PoolClient,
  tenantId: string,
  routers: ReadonlyMap<number, RouterSample>,
): Promise<void> => {
  if (routers.size === 0) return
  const copy = new BinaryCopy()
  for (const [routerId, sample] of routers) {
    copy.row(10)
    copy.int8(routerId)
    copy.timestamp(sample.atUs)
    copy.int4(sample.clients)
    copy.int4(sample.uptimeS)
    copy.bool(sample.isRepeater)
    copy.bool(sample.isBypassed)
    copy.text(sample.softwareVersion)
    copy.float4(sample.pingDrop)
    copy.float4(sample.latencyMs)
    copy.text(sample.hardwareVersion)
  }
  await client.query(`create temp table staged_routers (
    router_id bigint, at timestamptz, clients integer, uptime_s integer, is_repeater boolean, is_bypassed boolean,
    software_version text, ping_drop real, latency_ms real, hardware_version text) on commit drop`)
  await copy.send(client, 'staged_routers')
  await sql`
    insert into latest_routers as known (tenant_id, router_id, at, clients, uptime_s, is_repeater, is_bypassed,
      software_version, ping_drop, latency_ms)
    select ${tenantId}, router_id, at, clients, uptime_s, is_repeater, is_bypassed, software_version, ping_drop,
      latency_ms
    from staged_routers
    on conflict (tenant_id, router_id) do update set
      at = excluded.at, clients = excluded.clients, uptime_s = excluded.uptime_s,
      is_repeater = excluded.is_repeater, is_bypassed = excluded.is_bypassed,
      software_version = coalesce(excluded.software_version, known.software_version),
      ping_drop = excluded.ping_drop, latency_ms = excluded.latency_ms, ${sql.raw(COUNT_RESTART)}
    where excluded.at > known.at`.execute(db)
  await sql`
    update routers set hardware_version = staged.hardware_version
    from staged_routers as staged
    where routers.tenant_id = ${tenantId} and routers.id = staged.router_id
      and staged.hardware_version is not null
      and routers.hardware_version is distinct from staged.hardware_version`.execute(db)
  await refreshStatistics(db, { latest_routers: routers.size })
}

/** Three empty lists mean that the terminal has lost its addresses, and are stored as such. */
export const writeNewestAddresses = async (
  db: Db,
  client: pg.PoolClient,
  tenantId: string,
  addresses: ReadonlyMap<number, AddressSample>,
): Promise<void> => {
  if (addresses.size === 0) return
  const copy = new BinaryCopy()
  for (const [terminalId, sample] of addresses) {
    copy.row(5)
    copy.int8(terminalId)
    copy.timestamp(sample.atUs)
    copy.texts(sample.ipv4)
    copy.texts(sample.ipv6Ue)
    copy.texts(sample.ipv6Cpe)
  }
  await client.query(`create temp table staged_addresses (
    terminal_id bigint, at timestamptz, ipv4 text[], ipv6_ue text[], ipv6_cpe text[]) on commit drop`)
  await copy.send(client, 'staged_addresses')
  await sql`
    insert into latest_addresses as known (tenant_id, terminal_id, at, ipv4, ipv6_ue, ipv6_cpe)
    select ${tenantId}, terminal_id, at, ipv4, ipv6_ue, ipv6_cpe from staged_addresses
    on conflict (tenant_id, terminal_id) do update set
      at = excluded.at, ipv4 = excluded.ipv4, ipv6_ue = excluded.ipv6_ue, ipv6_cpe = excluded.ipv6_cpe
    where excluded.at > known.at`.execute(db)
  await refreshStatistics(db, { latest_addresses: addresses.size })
}
