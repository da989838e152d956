import pg from 'pg'
import { createUser } from '#server/identity/create-user.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { deriveSecrets } from '#server/platform/secrets.ts'
import { sampleColumns, tierColumns } from '#server/telemetry/measures.ts'
import { type Tier, tiers } from '#server/telemetry/tiers.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import type { Connections } from './database.ts'

export const TENANT = 'bench'
export const TERMINALS = 10_000
export const USER = { email: 'bench@mail.example', password: 'Bench-pass-1' }

const MIN_MS = 60_000
const HOUR_MS = 60 * MIN_MS
const DAY_MS = 24 * HOUR_MS
const DAYS = 62
/**
 * Each tier is filled as far back as its longest chart, and samples for twice the time that charts read. Older rows are
 * in partitions that no chart reads; filling them would double the disk space.
 */
const filledDays: Record<Tier['name'], number> = { tier_2min: 2, tier_15min: 8, tier_1h: 32, tier_2h: DAYS }
const SAMPLES_HOURS = 6
export const SAMPLE_MS = 15_000

interface Span {
  fromMs: number
  toMs: number
}

const iso = (ms: number) => new Date(ms).toISOString()

const partitionDays: Record<Tier['name'], number> = { tier_2min: 1, tier_15min: 7, tier_1h: 28, tier_2h: 28 }

/** The partitions that cover a span, with the bounds that the product would choose. */
const listPartitions = ({ fromMs, toMs }: Span, days: number): Span[] => {
  const spanMs = days * DAY_MS
  const spans: Span[] = []
  for (let startMs = Math.floor(fromMs / spanMs) * spanMs; startMs < toMs; startMs += spanMs)
    spans.push({ fromMs: startMs, toMs: startMs + spanMs })
  return spans
}

const formatName = (table: string, { fromMs }: Span) => `${table}_${iso(fromMs).slice(0, 10).replaceAll('-', '')}`

const addFleet = async ({ owner, runtime }: Connections, terminals: number) => {
  const by = { performer: 'bench', now: new Date() }
  const ownerDatabase = openDatabase(owner, () => {})
  await ownerDatabase.transaction({ tenantId: TENANT }, (db) =>
    createTenant(db, by, { id: TENANT, hosts: ['bench.example'], config: {} }),
  )
  await ownerDatabase.close()
  const database = openDatabase(runtime, () => {})
  const credentialId = await database.transaction({ tenantId: TENANT }, async (db, client) => {
    await createUser(db, TENANT, by, {
      email: USER.email,
      username: 'staff',
      customerName: 'Bench',
      company: 'Bench',
      initialPassword: USER.password,
      role: 'admin',
    })
    const id = await connectVendor(db, deriveSecrets('bench'), {
      tenantId: TENANT,
      baseUrl: 'http://127.0.0.1:9',
      tokenUrl: 'http://127.0.0.1:9/token',
      clientId: 'bench',
      clientSecret: 'bench',
    })
    await client.query(
      `insert into service_lines (tenant_id, credential_id, service_line_number, nickname, group_name, account_group,
         active, public_ip, product_name)
       select $1, $2, 'SL-' || i, 'Line ' || i, 'north', 'Dishboard', true, false, 'Local Priority 50GB'
       from generate_series(0, $3::int - 1) as i`,
      [TENANT, id, terminals],
    )
    await client.query(
      `insert into terminals (tenant_id, credential_id, service_line_id, device_id, kit_serial)
       select tenant_id, credential_id, id, 'device-' || service_line_number, 'KIT-' || service_line_number
       from service_lines order by id`,
    )
    await client.query(
      `insert into routers (tenant_id, terminal_id, router_id) select tenant_id, id, 'Router-' || id from terminals`,
    )
    return id
  })
  await database.close()
  return credentialId
}

/** The other data of a terminal's page. */
const addUsage = async (client: pg.Client, nowMs: number) => {
  const day = iso(nowMs).slice(0, 10)
  await client.query(
    `insert into line_usage (tenant_id, service_line_id, cycle_start, cycle_end, priority_gb, standard_gb,
       opt_in_priority_gb, non_billable_gb, usage_limit_gb, data_blocks)
     select $1, id, $2::date - 14, $2::date + 15, 20, 5, 0, 0, 50,
       '[{"dataBlockType":"RecurringPerBillingCycle","consumedAmountGB":20,"totalAmountGB":50}]'
     from service_lines`,
    [TENANT, day],
  )
  await client.query(
    `insert into daily_usage (tenant_id, service_line_id, day, priority_gb, standard_gb, opt_in_priority_gb, non_billable_gb)
     select $1, line.id, $2::date - ago, 1.5, 0.25, 0, 0
     from service_lines as line, generate_series(0, ${DAYS}) as ago
     order by line.id, ago`,
    [TENANT, day],
  )
  await client.query(
    `insert into latest_addresses (tenant_id, terminal_id, at, ipv4, ipv6_ue, ipv6_cpe)
     select $1, id, $2, '{100.64.0.1}', '{2605:59c8::/64}', '{2605:59c8:1::/56}' from terminals`,
    [TENANT, iso(nowMs)],
  )
  await client.query(
    `insert into latest_routers (tenant_id, router_id, at, clients, uptime_s, is_repeater, is_bypassed, software_version)
     select $1, id, $2, 4, 1000, false, false, '2026.10.1' from routers`,
    [TENANT, iso(nowMs)],
  )
}

/** Draws random values once; every bucket uses them in another order, because drawing billions takes too long. */
const drawValues = async (client: pg.Client, terminals: number) => {
  await client.query(`create temp table terminal_places as
    select id, (row_number() over (order by id) - 1)::integer as place from terminals`)
  await client.query(`create temp table drawn as
    select i as place, ${tierColumns.map((name) => `(random() * 100)::real as ${name}`).join(', ')}
    from generate_series(0, ${terminals - 1}) as i`)
  await client.query('analyze terminal_places')
  await client.query('analyze drawn')
}

interface Filling {
  table: string
  partition: Span
  /** The part of the partition that is filled. */
  span: Span
  stepMs: number
  /** The SQL value of each column. */
  values: Record<string, string | number>
}

// Rows are in the order in which the connector writes them: by bucket, then by terminal.
const fillPartition = async (client: pg.Client, { table, partition, span, stepMs, values }: Filling) => {
  const name = formatName(table, partition)
  const fromMs = Math.max(partition.fromMs, Math.ceil(span.fromMs / stepMs) * stepMs)
  const toMs = Math.min(partition.toMs, span.toMs)
  await client.query('begin')
  await client.query(`create table ${name} (like ${table} including defaults including generated)`)
  await client.query(`
    insert into ${name} (tenant_id, terminal_id, at, ${Object.keys(values).join(', ')})
    select '${TENANT}', terminal.id, step.at, ${Object.values(values).join(', ')}
    from generate_series('${iso(fromMs)}', '${iso(toMs - 1)}', interval '${stepMs / 1000} seconds')
      with ordinality as step (at, nth)
    cross join terminal_places as terminal
    join drawn on drawn.place = (terminal.place + step.nth * 7919) % (select count(*) from drawn)`)
  // This also builds the index.
  await client.query(`alter table ${table} attach partition ${name}
    for values from ('${iso(partition.fromMs)}') to ('${iso(partition.toMs)}')`)
  await client.query(`alter table ${name} owner to dishboard_owner`)
  await client.query(`call protect_tenant_table('${name}', '')`)
  await client.query('commit')
  await client.query(`vacuum (analyze) ${name}`)
}

const mapToDrawn = (columns: readonly string[], drawn: readonly string[]) =>
  Object.fromEntries(columns.map((column, index) => [column, `drawn.${drawn[index]}`]))

const sampleValues = {
  ...mapToDrawn(
    sampleColumns,
    tierColumns.filter((name) => name.endsWith('_min')),
  ),
  uptime_s: 1000,
}

/** Fills an empty, migrated database and returns the time of the newest rows. */
export const fillStore = async (
  connections: Connections & { superuser: pg.ClientConfig },
  onProgress: (message: string) => void,
  terminals = TERMINALS,
): Promise<number> => {
  const nowMs = Math.floor(Date.now() / MIN_MS) * MIN_MS
  onProgress(`creating ${terminals} terminals × ${DAYS} days`)
  const credentialId = await addFleet(connections, terminals)
  const client = new pg.Client(connections.superuser)
  await client.connect()
  await client.query('set synchronous_commit = off')
  await drawValues(client, terminals)
  for (const { name, bucketMs } of tiers) {
    const toMs = Math.floor(nowMs / bucketMs) * bucketMs
    const span = { fromMs: nowMs - filledDays[name] * DAY_MS, toMs }
    const values = { n: bucketMs / SAMPLE_MS, ...mapToDrawn(tierColumns, tierColumns) }
    for (const partition of listPartitions(span, partitionDays[name]))
      await fillPartition(client, { table: name, partition, span, stepMs: bucketMs, values })
    await client.query('insert into rollup_watermarks values ($1, $2, $3, $4)', [TENANT, credentialId, name, iso(toMs)])
    onProgress(`${name} is filled`)
  }
  const samples = { fromMs: nowMs - SAMPLES_HOURS * HOUR_MS, toMs: nowMs + 1 }
  for (const partition of listPartitions(samples, 1))
    await fillPartition(client, {
      table: 'samples',
      partition,
      span: samples,
      stepMs: SAMPLE_MS,
      values: sampleValues,
    })
  onProgress('samples are filled')
  await client.query(
    `insert into feed_coverage
     select $1, $2, day, tstzmultirange(tstzrange(day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC'))
     from (select generate_series($3::date, $4::date, '1 day')::date as day) as days`,
    [TENANT, credentialId, iso(nowMs - DAYS * DAY_MS).slice(0, 10), iso(nowMs).slice(0, 10)],
  )
  await client.query(
    `insert into latest (tenant_id, terminal_id, at, last_response_at, downlink_mbps, uptime_s)
     select $1, id, $2, $2, 5, 1000 from terminals`,
    [TENANT, iso(nowMs)],
  )
  await client.query(
    `insert into status_intervals (tenant_id, terminal_id, started_at, noted_at, status)
     select $1, id, $2, now(), 'online' from terminals`,
    [TENANT, iso(nowMs - DAYS * DAY_MS)],
  )
  await addUsage(client, nowMs)
  await client.query('vacuum (analyze)')
  await client.end()
  return nowMs
}
