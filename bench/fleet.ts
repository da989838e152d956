import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { terminals } from '#contract/terminals.ts'
import { listFleetRows } from '#server/fleet/fleet-queries.ts'
import { notifyLinesChanged } from '#server/fleet/notify.ts'
import { toListWire } from '#server/fleet/wire-item.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { withDatabase } from './database.ts'
import type { Bench, Figure } from './figures.ts'
import { type FleetStack, openFleetStack } from './fleet-stack.ts'
import { findMedian } from './median.ts'
import { addOlderPast } from './older-past.ts'

const UNCHANGED_CALLS = 200
const SETTLE_MS = 3_000
const QUIET_MS = 1_000
const SIZES = [10_000, 100_000]
const changedAtMostMs = new Map([
  [10_000, 40],
  [100_000, 300],
])

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Objects and buffers. Garbage is collected twice, because finalizers release memory only after the first pass. */
const measureMemoryBytes = async () => {
  collectGarbage()
  await pause(100)
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

interface ListResponse {
  status: number
  etag: string
  bytes: number
}

/** Sends the headers of a browser. `bytes` is the size of the body on the wire. */
const get = (stack: FleetStack, tenantId: string, access: string, path: string, etag?: string) =>
  new Promise<ListResponse>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${access}`,
      'x-tenant': tenantId,
      'accept-encoding': 'gzip, deflate, br, zstd',
      ...(etag && { 'if-none-match': etag }),
    }
    request(`${stack.url}${path}`, { headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        resolve({ status: response.statusCode as number, etag: String(response.headers.etag), bytes }),
      )
    })
      .on('error', reject)
      .end()
  })

/** Writes a new sample for a quarter of the fleet and waits until the snapshot has them. */
const changeQuarter = async ({ database, fleet }: FleetStack, tenantId: string, quarter: number) => {
  const snapshot = await fleet.snapshot(tenantId)
  const revision = () => snapshot.revision({ group: undefined })
  const before = revision()
  await database.transaction({ tenantId }, async (db, client) => {
    const { rows } = await client.query(
      `update latest set at = at + interval '15 s', latency_ms = latency_ms + 1 from terminals
       where terminals.tenant_id = $1 and latest.tenant_id = $1 and terminals.id = latest.terminal_id
         and terminals.id % 4 = $2 returning terminals.service_line_id as id`,
      [tenantId, quarter],
    )
    await notifyLinesChanged(
      db,
      tenantId,
      rows.map(({ id }) => id),
    )
  })
  while (revision() === before) await pause(20)
  for (let last = ''; last !== revision(); await pause(QUIET_MS)) last = revision()
}

/** Ten minutes of samples, and the receipt of the last batch. */
const PAST = [
  `select ensure_sample_partition(day::date) from unnest(array[now() - interval '1 day', now()]) as day`,
  `insert into samples (tenant_id, terminal_id, at, downlink_mbps, uplink_mbps, latency_ms, ping_drop, obstruction, alerts)
   select $1, id, now() - each * interval '15 s', id % 200, id % 20, id % 60, 0, 0, '{}'
   from terminals, generate_series(0, 39) as each where tenant_id = $1 and (id % 10 > 0 or each > 30)`,
  `insert into telemetry_batches (tenant_id, credential_id, received_at, applied_at, last_sample_at, terminal_rows)
   select $1, id, now(), now(), now(), 1 from vendor_credentials where tenant_id = $1`,
]

const PAST_CALLS = 5

/** Server time of calls about the past, each for another time, so that none is cached. */
const measurePast = async (
  stack: FleetStack,
  tenantId: string,
  access: string,
  path: string,
  beforeMs = Date.now() - 100,
) => {
  const times: number[] = []
  for (let call = 0; call < PAST_CALLS; call++) {
    const at = new Date(beforeMs - call).toISOString()
    const { status } = await get(stack, tenantId, access, `${path}?at=${at}`)
    if (status !== 200) throw new Error(`${path} of the past returned ${status}.`)
    times.push(stack.lastServerMs())
  }
  return findMedian(times)
}

/** The cost of each call without the snapshot: rows from the database, objects through the contract, JSON and gzip. */
const measureNaiveMs = async ({ database }: FleetStack, tenantId: string) => {
  const startedAt = performance.now()
  const rows = await database.transaction({ tenantId }, (db) => listFleetRows(db, tenantId, 'all'))
  const data = rows.map((row) => z.decode(terminals.list.output, { data: [toListWire(row, null)] }).data[0] as never)
  gzipSync(JSON.stringify(z.encode(terminals.list.output, { data })))
  return performance.now() - startedAt
}

const measure = async (stack: FleetStack, count: number, analyze: () => Promise<unknown>): Promise<Figure[]> => {
  const tenantId = `fleet${count}`
  await stack.addFleet(tenantId, count)
  const { access } = await stack.signIn(tenantId)
  const list = (etag?: string) => get(stack, tenantId, access, '/api/terminals/', etag)
  const empty = await measureMemoryBytes()
  await stack.fleet.snapshot(tenantId)
  const loadedEach = ((await measureMemoryBytes()) - empty) / count
  // Garbage collection blocks the event loop, and the server rejects requests for a moment after such a pause.
  await pause(SETTLE_MS)
  let { etag, bytes: listBytes } = await list()
  const firstMs = stack.lastServerMs()
  const changed: number[] = []
  for (const quarter of [0, 1, 2, 3]) {
    await changeQuarter(stack, tenantId, quarter)
    const response = await list(etag)
    if (response.status !== 200) throw new Error(`A changed list returned ${response.status}.`)
    etag = response.etag
    listBytes = response.bytes
    changed.push(stack.lastServerMs())
  }
  const unchanged: number[] = []
  let unchangedBytes = 0
  for (let call = 0; call < UNCHANGED_CALLS; call++) {
    const response = await list(etag)
    if (response.status !== 304) throw new Error(`An unchanged list returned ${response.status}.`)
    unchangedBytes = response.bytes
    unchanged.push(stack.lastServerMs())
  }
  const details = await get(stack, tenantId, access, '/api/terminals/details/')
  const detailsMs = stack.lastServerMs()
  const changedEach = ((await measureMemoryBytes()) - empty) / count
  const naive = await measureNaiveMs(stack, tenantId)
  await stack.database.transaction({ tenantId }, async (_, client) => {
    await client.query('set local statement_timeout = 0')
    for (const statement of PAST) await client.query(statement, statement.includes('$1') ? [tenantId] : [])
  })
  const pastMs = await measurePast(stack, tenantId, access, '/api/terminals/')
  const pastDetailsMs = await measurePast(stack, tenantId, access, '/api/terminals/details/')
  const pastPageMs = await measurePast(stack, tenantId, access, '/api/terminals/line-1/180/')
  const olderMs = await addOlderPast(stack, tenantId, analyze)
  const olderPastMs = await measurePast(stack, tenantId, access, '/api/terminals/', olderMs)
  const olderDetailsMs = await measurePast(stack, tenantId, access, '/api/terminals/details/', olderMs)
  const changedMs = findMedian(changed)
  const atMost = changedAtMostMs.get(count)
  const named = (name: string) => `${count.toLocaleString('en-US')}: ${name}`
  return [
    { name: named('memory, list and details'), value: loadedEach, unit: 'bytes each', atMost: 1024 },
    {
      name: named('memory after every line changed, with responses'),
      value: changedEach,
      unit: 'bytes each',
      atMost: 1024,
    },
    { name: named('first response'), value: firstMs, unit: 'ms' },
    { name: named('a quarter changed: join and compress'), value: changedMs, unit: 'ms', ...(atMost && { atMost }) },
    { name: named('unchanged: 304, median'), value: findMedian(unchanged), unit: 'ms', atMost: 2 },
    { name: named('list on the wire'), value: listBytes / 1024, unit: 'KiB' },
    { name: named('304 on the wire, body'), value: unchangedBytes, unit: 'bytes' },
    { name: named('details, first response'), value: detailsMs, unit: 'ms' },
    { name: named('details on the wire'), value: details.bytes / 1024, unit: 'KiB' },
    { name: named('list of the past, median'), value: pastMs, unit: 'ms', ...(count === 10_000 && { atMost: 300 }) },
    {
      name: named('list of five days ago, median'),
      value: olderPastMs,
      unit: 'ms',
      ...(count === 10_000 && { atMost: 300 }),
    },
    { name: named('details of five days ago, median'), value: olderDetailsMs, unit: 'ms' },
    { name: named('details of the past, median'), value: pastDetailsMs, unit: 'ms' },
    { name: named('page of a terminal in the past, median'), value: pastPageMs, unit: 'ms' },
    { name: named('naive: rows, objects, JSON, gzip'), value: naive, unit: 'ms' },
    { name: named('naive to changed'), value: naive / changedMs, unit: 'times' },
  ]
}

/** Server time and memory of the list of terminals. */
export const measureFleet: Bench = (sizes) =>
  withDatabase(async (connections) => {
    const stack = await openFleetStack(connections)
    const owner = openDatabase(connections.owner, () => {})
    const analyze = () => sql`analyze`.execute(owner.outsideTenants)
    try {
      const figures: Figure[] = []
      // A warm-up run, so that one-time allocations of the process are not counted.
      await measure(stack, 1_000, analyze)
      for (const size of sizes.length > 0 ? sizes : SIZES) figures.push(...(await measure(stack, size, analyze)))
      return figures
    } finally {
      await owner.close()
      await stack.close()
    }
  })
