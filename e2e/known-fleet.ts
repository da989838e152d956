import { latLngToCell } from 'h3-js'
import { enqueue } from '#server/platform/worker/enqueue.ts'
import type { Installation } from '#server/process/installation.ts'
import { recordCoverage } from '#server/telemetry/coverage.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { addTenant } from './add-tenant.ts'

export interface KnownTerminal {
  name: string
  place?: [latitude: number, longitude: number]
  status?: 'online' | 'offline' | 'no data'
  alerts?: string[]
  isMobile?: boolean
  city?: string
  latencyMs?: number
  priorityGb?: number
  metadata1?: string
  /** Its reported position, if it differs from its address. */
  reportedAt?: [latitude: number, longitude: number]
  /** It was online an hour ago. */
  hasWorked?: boolean
}

/** Too long to fit anywhere. */
export const longName = 'Northern Lights Fisheries Cooperative Processing Vessel and Shore Support Station of Unalaska'

/**
 * Terminals around the antimeridian, like the Aleutians. They get no telemetry, so their state never changes. Each
 * terminal that a test changes is used by that test only.
 */
export const knownFleet: KnownTerminal[] = [
  { name: 'Attu Watch', place: [52.9, 173], city: 'Attu', latencyMs: 9.5, priorityGb: 100 },
  { name: 'Adak Cabin', place: [51.9, -176.6], city: 'Adak', status: 'offline', latencyMs: 101, priorityGb: 20 },
  { name: 'Harbor 10', place: [52.2, -174.2], city: 'Atka', alerts: ['mast_not_vertical'], latencyMs: 30 },
  { name: 'Harbor 2', place: [52.2, -174.2], city: 'Atka', alerts: ['mast_not_vertical', 'roaming'], latencyMs: 31 },
  { name: 'Barred Dish', place: [51.5, 178.5], status: 'offline', alerts: ['disabled_no_active_account'] },
  { name: 'F/V Dawn (50% share) [x]', place: [53.4, 179], isMobile: true, latencyMs: 45 },
  { name: 'Lost Buoy', status: 'no data' },
  { name: longName, place: [53.9, -179], latencyMs: 60 },
  ...['Renamed Post', 'Noted Post', 'Paused Post', 'Timed Post'].map((name) => ({ name, metadata1: 'before' })),
  // Enough rows to scroll.
  ...Array.from({ length: 24 }, (_, index): KnownTerminal => {
    const place: [number, number] = [51.2 + (index % 4) / 10, 174 + index / 4]
    return { name: `Post ${index + 1}`, place, latencyMs: 70 + index, metadata1: `Dock ${index + 1}` }
  }),
]

const LINE = `
  with line as (
    insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group,
      active, public_ip, product_name, is_mobile, street, city, state, latitude, longitude, metadata1)
    values ($1, $2, 'SL-KNOWN-' || $3, $4, 'north', 'Dishboard', true, false, 'Local Priority 50 GB', $5,
      $3 || ' Front Street', $6, 'AK', $7, $8, $9) returning id),
  usage as (
    insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
      opt_in_priority_gb, non_billable_gb, usage_limit_gb)
    select $1, id, current_date - 9, current_date + 9, $10, 1, 0, 0, 200 from line)
  insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial)
  select $1, $2, id, 'known-' || $3, 'KITKNOWN' || $3 from line returning id`

// Old enough to look the same for as long as the tests run.
const LATEST = `
  insert into latest (tenant_id, terminal_id, at, alerts, latency_ms, h3_cell)
  values ($1, $2, least($6::timestamptz, now() - interval '4 minutes'), $3, $4, $5)`

const STATUS = `
  insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status) values ($1, $2, now(), now(), $3)`

const WORKED = `
  insert into status_intervals (tenant_id, terminal_id, started_at, ended_at, noted_at, status)
  values ($1, $2, now() - interval '1 hour', now(), now() - interval '1 hour', 'online')`

const FEED = `
  insert into vendor_feeds (tenant_id, credential_id, feed, newest_sample_at) values ($1, $2, 'telemetry', $3)`

/** Sixty terminals at one location, one of them offline, and three far away. */
const crowdedFleet: KnownTerminal[] = [
  ...Array.from({ length: 60 }, (_, index): KnownTerminal => {
    const status = index === 41 ? 'offline' : 'online'
    return { name: `Camp ${index + 1}`, place: [64.5, -165.4], city: 'Nome', status }
  }),
  { name: 'Anchor Dock North', place: [55.36, -131.7], city: 'Ketchikan' },
  { name: 'Anchor Dock South', place: [55.34, -131.6], city: 'Ketchikan' },
  { name: 'Bright Light', place: [58.3, -134.4], city: 'Juneau', alerts: ['roaming'] },
]

/** A tenant whose feed is late. */
const lateFleet: KnownTerminal[] = [{ name: 'Late Post' }, { name: 'Late Cabin', status: 'offline' }]
const LATE_MS = 25 * 60_000

/** Four of five terminals at one location have just gone down together. */
const outageFleet: KnownTerminal[] = Array.from({ length: 5 }, (_, index) => ({
  name: `Bethel ${index + 1}`,
  place: [60.79 + index / 50, -161.75],
  city: 'Bethel',
  hasWorked: true,
  status: index < 4 ? ('offline' as const) : ('online' as const),
}))

/** A stationary dish that was moved 290 km. */
const carriedFleet: KnownTerminal[] = [
  { name: 'Nome Cabin', place: [64.5, -165.4], city: 'Nome', reportedAt: [66.9, -162.6] },
  { name: 'Nome School', place: [64.51, -165.41], city: 'Nome', reportedAt: [64.5, -165.4] },
]

const WORKED_MS = 3_600_000
// Keeps its feed fresh for as long as the tests run, although it gets no telemetry.
const AHEAD_MS = 86_400_000

/** Adds tenants with exactly these terminals. */
export async function addKnownFleets(installation: Installation) {
  await addFleet(installation, 'known', knownFleet, new Date(Date.now() + AHEAD_MS))
  await addFleet(installation, 'crowded', crowdedFleet, new Date(Date.now() + AHEAD_MS))
  await addFleet(installation, 'late', lateFleet, new Date(Date.now() - LATE_MS))
  await addFleet(installation, 'carried', carriedFleet, new Date(Date.now() + AHEAD_MS))
  for (const tenantId of ['outage', 'regrouped'])
    await addFleet(installation, tenantId, outageFleet, new Date(Date.now() + AHEAD_MS))
}

async function addFleet(
  installation: Installation,
  tenantId: string,
  fleet: readonly KnownTerminal[],
  newestSampleAt: Date,
) {
  await addTenant(installation, tenantId, { company_name: 'Known' })
  await installation.database.transaction({ tenantId }, async (db, client) => {
    // Nothing listens on port 9.
    const nowhere = { baseUrl: 'http://127.0.0.1:9/', tokenUrl: 'http://127.0.0.1:9/' }
    const account = { tenantId, clientId: tenantId, clientSecret: 'a secret of nobody', ...nowhere }
    const credential = await connectVendor(db, installation.secrets, account)
    await client.query(FEED, [tenantId, credential, newestSampleAt])
    if (fleet.some(({ hasWorked }) => hasWorked)) {
      const observed = { fromMs: Date.now() - WORKED_MS, toMs: newestSampleAt.getTime() }
      await recordCoverage(db, { tenantId, credentialId: credential }, [observed])
    }
    for (const [index, terminal] of fleet.entries()) {
      const { name, place = [null, null], status = 'online', alerts = [], isMobile = false, hasWorked } = terminal
      const { city = 'Unalaska', latencyMs = null, priorityGb = 0, metadata1 = null } = terminal
      const values = [tenantId, credential, `${index + 1}`, name, isMobile, city, ...place, metadata1, priorityGb]
      const { rows } = await client.query<{ id: number }>(LINE, values)
      const id = rows[0]?.id
      const cell = terminal.reportedAt ? latLngToCell(...terminal.reportedAt, 5) : null
      await client.query(LATEST, [tenantId, id, alerts, latencyMs, cell, newestSampleAt])
      if (hasWorked) await client.query(WORKED, [tenantId, id])
      await client.query(STATUS, [tenantId, id, status])
    }
    await enqueue(db, 'incidents', tenantId)
    await enqueue(db, 'warnings', tenantId)
  })
}
