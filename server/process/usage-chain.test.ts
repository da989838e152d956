import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNotificationQueue } from '../notifications/queue.ts'
import { addLines, setPreferences } from '../notifications/testing/fleet.ts'
import { createPoolQueue } from '../plans/queue.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { startWorker } from '../platform/worker/worker.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { syncUsage } from '../vendor/sync-usage.ts'

const log = pino({ level: 'silent' })
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let server: TestServer
let lineIds: number[]
beforeAll(async () => {
  server = await startTestServer()
  for (const tenantId of ['a', 'b']) {
    const user = await server.addUser(tenantId)
    const added = (await addLines(server.database, tenantId, 2, 'north')).map(({ lineId }) => lineId)
    if (tenantId === 'a') lineIds = added
    await setPreferences(server.database, tenantId, user, {
      by_email: true,
      data_usage: true,
      selected_line_ids: added,
    })
  }
})
afterAll(() => server.close())

const read = async <Row extends object>(tenantId: string, query: string) =>
  server.database.transaction({ tenantId }, async (_, client) => (await client.query<Row>(query)).rows)

const formatDay = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 10)}T00:00:00Z`

/** The vendor's response for a line whose cycle started ten days ago, with all usage today. */
const reportUsage = (serviceLineNumber: string, priorityGb: number, limitGb: number) => {
  const startDate = formatDay(Date.now() - 10 * DAY_MS)
  const today = formatDay(Date.now())
  const none = { standardGB: 0, optInPriorityGB: 0, nonBillableGB: 0 }
  return {
    accountNumber: 'ACC-1',
    serviceLineNumber,
    startDate,
    endDate: formatDay(Date.now() + 20 * DAY_MS),
    servicePlan: {
      isoCurrencyCode: 'USD',
      productId: null,
      subscriptionActiveFrom: null,
      subscriptionEndDate: null,
      isMobilePlan: false,
      isOptedIntoOverage: false,
      usageLimitGB: limitGb,
    },
    billingCycles: [
      {
        startDate,
        endDate: formatDay(Date.now() + 20 * DAY_MS),
        dailyDataUsage: [{ date: today, priorityGB: priorityGb, ...none, dataUsageBins: [] }],
        overageLines: [],
        dataPoolUsage: [],
        totalPriorityGB: priorityGb,
        totalStandardGB: 0,
        totalOptInPriorityGB: 0,
        totalNonBillableGB: 0,
      },
    ],
    lastUpdated: today,
  }
}

test('usage that is synced reaches the pool, and then the user, without a poll', async () => {
  const [pooled, single] = lineIds as [number, number]
  const day = (offset: number) => formatDay(Date.now() + offset * DAY_MS).slice(0, 10)
  await read(
    'a',
    `with pool as (
       insert into pools (tenant_id, name, over_limit_behavior, usage_limit_gb, next_usage_limit_gb, anchor_day,
         cycle_start, cycle_end, created_at)
       values ('a', 'Shared', 'Soft Cap', 1000, 1000, 1, '${day(-10)}', '${day(20)}', now()) returning id)
     insert into pool_lines (tenant_id, service_line_id, pool_id) select 'a', ${pooled}, id from pool`,
  )
  const { database, listener } = server
  const now = () => new Date()
  const pools = createPoolQueue({ database, secrets: server.services.secrets, log, now })
  const worker = startWorker({
    listener,
    log,
    now,
    timing: { pollIntervalMs: HOUR_MS },
    queues: { pools: pools.queue, notifications: createNotificationQueue({ database, log, now }) },
  })
  try {
    // Each tenant's jobs have a first turn, which establishes the starting point for notifications.
    const countIdle = async (tenantId: string) =>
      (await read(tenantId, 'select from jobs where finished_at is not null and leased_by is null')).length
    for (const tenantId of ['a', 'b']) await expect.poll(() => countIdle(tenantId)).toBe(2)

    const [credential] = await read<{ id: number }>('a', 'select id from vendor_credentials')
    const numbers = await read<{ id: number; number: string }>(
      'a',
      'select id, service_line_number as number from service_lines',
    )
    const findNumber = (lineId: number) => numbers.find(({ id }) => id === lineId)?.number as string
    const items = [reportUsage(findNumber(pooled), 250, 500), reportUsage(findNumber(single), 85, 100)]
    await syncUsage({
      database,
      client: {
        readUsage: async (_query, { onPage }) => {
          await onPage(items, { nextPage: 1, totalCount: items.length })
          return { ids: new Set(items.map((item) => item.serviceLineNumber)), complete: true, totalCount: items.length }
        },
      },
      tenantId: 'a',
      credentialId: credential?.id as number,
      now: () => Date.now(),
      warnOnce: () => {},
      previousBillingCycles: 1,
    })

    await expect.poll(() => read('a', 'select used_gb from pools')).toEqual([{ used_gb: 250 }])
    await expect
      .poll(() => read('a', 'select service_line_id, percent from usage_crossings'))
      .toEqual([{ service_line_id: single, percent: 80 }])
    const findDue = async () => (await read('a', "select due_at from jobs where queue = 'notifications'"))[0]
    await expect.poll(findDue).toEqual({ due_at: expect.any(Date) })
    // Until it is due, further changes would be coalesced into the notification.
    await read('a', "update event_clocks set at = at + interval '1 hour'")
    await database.transaction({ tenantId: 'a' }, (db) => enqueue(db, 'notifications', 'a'))
    await expect
      .poll(() => read('a', 'select recipient from messages'))
      .toEqual([{ recipient: 'someone@mail.example' }])
    expect(await read('b', 'select from messages')).toEqual([])
  } finally {
    pools.close()
    await worker.stop()
  }
})
