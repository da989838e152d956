import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../platform/database/database.ts'
import { listenToDatabase } from '../platform/database/listen.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { startWorker } from '../platform/worker/worker.ts'
import type { Spool } from '../telemetry/spool.ts'
import { openTestSpool } from '../telemetry/testing/open-test-spool.ts'
import { NO_TIME_LIMITS } from '../testing/database.ts'
import { connectVendor } from './credentials.ts'
import { createVendorQueues } from './queues.ts'
import { createTwoAccounts, secrets, type TwoAccounts } from './testing/two-accounts.ts'

const SLOT_MS = 15_000

let vendor: TwoAccounts
let spool: Spool
let working: ReturnType<typeof start>
beforeAll(async () => {
  vendor = await createTwoAccounts()
  spool = await openTestSpool()
  working = start('first')
})
afterAll(async () => {
  await working.stop()
  await vendor.close()
})

const start = (name: string, database = vendor.database) => {
  const log = vendor.log.child({ process: name })
  const listener = listenToDatabase({ connection: vendor.runtime, log })
  const worker = startWorker({
    listener,
    log,
    // Leases use the real clock, because the test moves the vendor's clock faster than leases are renewed.
    now: () => new Date(),
    queues: createVendorQueues({
      database,
      spool,
      secrets,
      log,
      now: () => new Date(vendor.clock.nowMs),
      limits: { lingerMs: 100, pauseMs: 150, sweepEveryMs: 0, retryFirstMs: 200, retryLongestMs: 200 },
    }),
  })
  return {
    stop: async () => {
      await worker.stop()
      await listener.close()
    },
  }
}

const eventually = (check: () => Promise<void>) =>
  expect.poll(async () => await check().then(() => true), { interval: 100 }).toBe(true)

const lastRowMs = async (tenantId: string) => {
  const [row] = await vendor.rows<{ at: Date | null }>(tenantId, 'select max(at) as at from samples')
  return row?.at?.getTime() ?? 0
}

/** Advances the simulated fleet and waits until its telemetry has been applied. */
const advance = async (slots: number) => {
  for (let slot = 0; slot < slots; slot++) {
    vendor.clock.nowMs += SLOT_MS
    for (const tenantId of ['alpha', 'beta'])
      await eventually(async () => expect(await lastRowMs(tenantId)).toBeGreaterThan(vendor.clock.nowMs - SLOT_MS))
  }
}

const statuses = async (tenantId: string) => {
  const rows = await vendor.rows<{ device_id: string; status: string }>(
    tenantId,
    `select device_id, status from status_intervals
     join terminals on terminals.id = terminal_id where ended_at is null order by device_id`,
  )
  return new Map(rows.map(({ device_id, status }) => [device_id, status]))
}

/** Lists the terminals that are not in one of the simulated fleet's own power cuts. */
const listResponding = async (tenantId: string) => {
  const rows = await vendor.rows<{ device_id: string }>(
    tenantId,
    `select device_id from latest join terminals on terminals.id = terminal_id
     where last_response_at > '${new Date(vendor.clock.nowMs - 2 * SLOT_MS).toISOString()}' and uptime_s > 1200`,
  )
  return rows.map((row) => row.device_id)
}

const listOnline = async (tenantId: string) =>
  [...(await statuses(tenantId))].filter(([, status]) => status === 'online')

test('each tenant’s fleet comes online from its own account', async () => {
  await eventually(async () => {
    for (const tenantId of ['alpha', 'beta'])
      expect(await vendor.rows(tenantId, 'select id from terminals')).not.toHaveLength(0)
  })
  // The stream starts with the next whole interval, and each terminal has its own offset in it.
  vendor.clock.nowMs += 2 * SLOT_MS
  await advance(2)
  const devices = async (tenantId: string) =>
    (await vendor.rows<{ device_id: string }>(tenantId, 'select device_id from terminals')).map((row) => row.device_id)
  expect((await listOnline('alpha')).length).toBeGreaterThan(2)
  expect((await listOnline('beta')).length).toBeGreaterThan(1)
  const beta = new Set(await devices('beta'))
  expect((await devices('alpha')).filter((device) => beta.has(device))).toEqual([])
  await eventually(async () => {
    const feeds = await vendor.rows('alpha', 'select feed, last_success_at from vendor_feeds order by feed')
    expect(feeds.map(({ feed }) => feed)).toEqual(['inventory', 'telemetry', 'usage'])
  })
})

test('the usage of the present billing cycle is stored before that of earlier ones', async () => {
  await eventually(async () =>
    expect(await vendor.rows('alpha', 'select distinct cycle_start from line_usage')).toHaveLength(3),
  )
  // A version is recorded for the cycle that was the newest when it was stored.
  const recorded = `select distinct facts ->> 'cycle_start' from fact_versions where kind = 'usage'`
  expect(await vendor.rows('alpha', recorded)).toHaveLength(1)
})

test('only the terminal that is down goes offline', async () => {
  const before = await statuses('alpha')
  const [device = ''] = (await listOnline('alpha'))[0] ?? []
  vendor.simulator.setDown(device, true)
  await advance(14)
  await eventually(async () => expect((await statuses('alpha')).get(device)).toBe('offline'))
  const after = await statuses('alpha')
  for (const other of await listResponding('alpha'))
    expect([other, after.get(other)]).toEqual([other, before.get(other)])
  vendor.simulator.setDown(device, false)
  await advance(3)
  await eventually(async () => expect((await statuses('alpha')).get(device)).toBe('online'))
})

test('a stream that the vendor refuses is logged once, turns no terminal offline, and is read again once it works', async () => {
  const before = await statuses('alpha')
  vendor.simulator.play('stream-404')
  await eventually(async () => {
    const [feed] = await vendor.rows('alpha', "select last_failure from vendor_feeds where feed = 'telemetry'")
    expect(feed?.last_failure).toContain('404')
  })
  vendor.clock.nowMs += 20 * SLOT_MS
  const [alpha] = vendor.simulator.simulation.credentials
  const countRequests = () => alpha?.requestsMs.filter((ms) => ms === vendor.clock.nowMs).length
  await expect.poll(countRequests).toBeGreaterThan(5)
  const warnings = vendor.logged.filter(
    ({ feed, tenantId, level }) => feed === 'telemetry' && tenantId === 'alpha' && level === 40,
  )
  expect(warnings).toHaveLength(1)
  vendor.simulator.stopScenario('stream-404')
  await advance(2)
  const after = await statuses('alpha')
  const responding = await listResponding('alpha')
  expect(responding.length).toBeGreaterThan(1)
  for (const device of responding) expect([device, after.get(device)]).toEqual([device, before.get(device)])
})

const listStarts = (name: string, tenantId?: string) =>
  vendor.logged.filter(
    (line) =>
      line.process === name &&
      line.msg.includes('reads the vendor for a credential') &&
      (tenantId === undefined || line.tenantId === tenantId),
  )

const readJob = async (queue: string, tenantId: string, subject: string) => {
  const { rows } = await vendor.superuser.query(
    'select * from jobs where queue = $1 and tenant_id = $2 and subject = $3',
    [queue, tenantId, subject],
  )
  return rows[0]
}

test('two processes share the credentials, and one that stops leaves its own to the other', async () => {
  const database = openDatabase({ ...vendor.runtime, ...NO_TIME_LIMITS }, () => {})
  const second = start('second', database)
  await eventually(async () => expect(listStarts('second')).toHaveLength(1))
  await advance(2)
  expect(listStarts('first')).toHaveLength(2)
  expect(listStarts('second')).toHaveLength(1)
  await working.stop()
  await eventually(async () => expect(listStarts('second')).toHaveLength(2))
  await advance(2)
  expect(
    await vendor.rows('alpha', 'select id from telemetry_batches where attempts > 0 or failed is not null'),
  ).toEqual([])
  await second.stop()
  await database.close()
})

test('a feed restarts when its credential changes, and not when another changes or credentials are read again', async () => {
  working = start('third')
  await eventually(async () => expect(listStarts('third')).toHaveLength(2))
  const before = await readJob('vendor-credentials', 'alpha', '')
  await vendor.database.transaction({ tenantId: 'alpha' }, (db) => enqueue(db, 'vendor-credentials', 'alpha'))
  await eventually(async () => expect((await readJob('vendor-credentials', 'alpha', '')).fence).not.toBe(before.fence))
  await vendor.database.transaction({ tenantId: 'alpha' }, (db) =>
    connectVendor(db, secrets, {
      tenantId: 'alpha',
      clientId: 'client-alpha',
      clientSecret: 'secret-alpha',
      baseUrl: vendor.simulator.url,
      tokenUrl: vendor.simulator.tokenUrl,
    }),
  )
  await eventually(async () => expect(listStarts('third', 'alpha')).toHaveLength(2))
  await advance(2)
  expect(listStarts('third')).toHaveLength(3)
})

/** Connects a credential that the vendor does not know, so that nothing in the database depends on it. */
const connectUnknown = async (clientId: string) => {
  const credentialId = await vendor.database.transaction({ tenantId: 'alpha' }, (db) =>
    connectVendor(db, secrets, {
      tenantId: 'alpha',
      clientId,
      clientSecret: 'secret',
      baseUrl: vendor.simulator.url,
      tokenUrl: vendor.simulator.tokenUrl,
    }),
  )
  return String(credentialId)
}

test('a credential whose secret cannot be decrypted does not block the tenant’s other credentials', async () => {
  await working.stop()
  const broken = await connectUnknown('broken')
  await vendor.superuser.query("update vendor_credentials set client_secret = 'no secret' where id = $1", [broken])
  working = start('fourth')
  await eventually(async () => expect((await readJob('vendor-feeds', 'alpha', broken)).failures).toBeGreaterThan(0))
  await eventually(async () => expect(listStarts('fourth')).toHaveLength(2))
  await advance(2)
})

test('the feed of a credential that is deleted by SQL ends', async () => {
  const deleted = await connectUnknown('deleted')
  await eventually(async () => expect((await readJob('vendor-feeds', 'alpha', deleted)).leased_by).not.toBeNull())
  await vendor.superuser.query('delete from vendor_credentials where id = $1', [deleted])
  await eventually(async () =>
    expect(await readJob('vendor-feeds', 'alpha', deleted)).toMatchObject({ leased_by: null, due_at: null }),
  )
})
