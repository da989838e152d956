import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { listenToDatabase } from '../platform/database/listen.ts'
import { NO_TIME_LIMITS } from '../testing/database.ts'
import { advanceTiers } from './advance-tiers.ts'
import { createHelpRequest, startAssisting } from './assist.ts'
import { createFeed, type Feed, feedLimits } from './feed.ts'
import { createFeedHealth } from './feed-health.ts'
import { createFeedMonitor } from './feed-monitor.ts'
import { pollerLimits, runPoller } from './poller.ts'
import { openTestSpool } from './testing/open-test-spool.ts'
import { telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'

const log = pino({ level: 'silent' })
const MINUTE_MS = 60_000
const BATCHES = 24
const DEVICES = ['one', 'two', 'three']

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

const listSamples = (tenantId: string) =>
  feeds.rows<{ at: Date; downlink: number }>(
    tenantId,
    'select terminal_id, at, downlink_mbps::float8 as downlink from samples order by terminal_id, at',
  )
const listStatuses = (tenantId: string) =>
  feeds.rows<{ device_id: string; status: string; started_at: Date }>(
    tenantId,
    `select device_id, status, started_at from status_intervals join terminals on terminals.id = terminal_id
     order by device_id, started_at`,
  )
const countRolledUp = async (tenantId: string) => {
  const [row] = await feeds.rows(
    tenantId,
    `select (select sum(n)::int from tier_2min) as samples, (select count(*)::int from dirty_buckets
       where tier = 'tier_2min') as dirty`,
  )
  return row
}

/** One batch per two minutes. In the middle a terminal is silent for a while, so that the order of batches matters. */
const storeBacklog = async (feed: Feed, startMs: number) => {
  for (let nth = 0; nth < BATCHES; nth++) {
    const devices = nth > 8 && nth < 14 ? ['one', 'two'] : DEVICES
    const rows = devices.flatMap((device) =>
      Array.from({ length: 8 }, (_, at) => ({
        device,
        atMs: startMs + nth * 2 * MINUTE_MS + at * 15_000,
        downlinkMbps: nth,
      })),
    )
    await feeds.store(feed, telemetryBody(rows))
  }
}

test('two processes work off the backlog of one credential: nothing is lost, doubled or out of order', async () => {
  const { alpha, beta, nowMs } = feeds
  const startMs = Math.floor(nowMs.value / (30 * MINUTE_MS)) * 30 * MINUTE_MS - 90 * MINUTE_MS
  await storeBacklog(alpha, startMs)
  await feeds.store(alpha, 'no telemetry')
  await storeBacklog(beta, startMs)
  // The expected result, computed by one process alone.
  await feeds.applyWaiting(beta)
  await advanceTiers(beta)

  const readers = { monitor: createFeedMonitor() }
  const helpers = {
    monitor: createFeedMonitor(),
    database: openDatabase({ ...feeds.runtime, ...NO_TIME_LIMITS }, () => {}),
  }
  const listener = listenToDatabase({ connection: feeds.runtime, log })
  const now = () => nowMs.value
  const warnings: string[] = []
  const helperLog = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line).msg) })
  const assisting = startAssisting({ listener, ...helpers, limits: feedLimits, log: helperLog, now })

  await assisting.ready

  // The process that reads the credential pauses after a few batches until the other one has done a part.
  const hasHelped = () => helpers.monitor.totals.assistedBatches > 2
  const gated: Database = {
    ...feeds.database,
    transaction: async (scope, work, options) => {
      if (readers.monitor.totals.batches > 2 && !hasHelped()) await expect.poll(hasHelped).toBe(true)
      return feeds.database.transaction(scope, work, options)
    },
  }
  const { tenantId, credentialId } = alpha
  const feed: Feed = createFeed({
    tenantId,
    credentialId,
    database: gated,
    limits: feedLimits,
    now,
    log,
    monitor: readers.monitor,
    requestHelp: createHelpRequest(feeds.database, () => feed),
  })
  const stop = new AbortController()
  const running = runPoller({
    feed,
    spool: await openTestSpool(),
    // The vendor has nothing new.
    client: {
      queryTelemetry: async () => JSON.stringify({ content: {} }),
      streamTelemetry: () =>
        new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(new Error('stopped')))),
    },
    limits: { ...pollerLimits, sweepEveryMs: Number.POSITIVE_INFINITY },
    report: createFeedHealth({ ...feed, feed: 'telemetry', log }),
    stop: stop.signal,
  })
  await expect.poll(() => feeds.findWaiting(alpha)).toBeUndefined()
  const expected = await countRolledUp('beta')
  await expect.poll(() => countRolledUp('alpha')).toEqual(expected)
  stop.abort()
  await running
  await assisting.stop()
  await listener.close()
  await helpers.database.close()

  expect(readers.monitor.totals.batches).toBe(BATCHES)
  expect(readers.monitor.totals.setAsideBatches).toBe(1)
  expect(helpers.monitor.totals.assistedBatches).toBeGreaterThan(2)
  expect(warnings).toEqual([])
  expect(expected?.samples).toBeGreaterThan(500)
  const withoutIds = (rows: { at: Date; downlink: number }[]) =>
    rows.map(({ at, downlink }) => [at.getTime(), downlink])
  expect(withoutIds(await listSamples('alpha'))).toEqual(withoutIds(await listSamples('beta')))
  const statuses = await listStatuses('beta')
  expect(statuses.map(({ status }) => status)).toContain('offline')
  expect(await listStatuses('alpha')).toEqual(statuses)
})

test('two processes compute different buckets of one credential at once, and the last one records that all are done', async () => {
  const { beta, nowMs } = feeds
  const startMs = Math.floor(nowMs.value / (30 * MINUTE_MS)) * 30 * MINUTE_MS - 600 * MINUTE_MS
  const rows = Array.from({ length: 40 }, (_, nth) => ({
    device: 'one',
    atMs: startMs + nth * 2 * MINUTE_MS,
    downlinkMbps: 1,
  }))
  await feeds.receive(beta, telemetryBody(rows))
  const { tenantId, credentialId } = beta
  const from = new Date(startMs).toISOString()
  const inTest = `at >= '${from}' and at < '${new Date(startMs + 80 * MINUTE_MS).toISOString()}'`
  const countTier = () => feeds.rows(tenantId, `select from tier_2min where ${inTest}`)
  const untilMs = startMs + 120 * MINUTE_MS
  await feeds.rows(tenantId, 'delete from rollup_watermarks')

  // The first process stops just before it commits its first buckets.
  const isHolding = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let isFirst = true
  const holding: Database = {
    ...feeds.database,
    transaction: (scope, work, options) =>
      feeds.database.transaction(
        scope,
        async (db, client) => {
          const result = await work(db, client)
          const { rowCount } = await client.query(`select from tier_2min where ${inTest} limit 1`)
          if (isFirst && rowCount) {
            isFirst = false
            isHolding.resolve()
            await goOn.promise
          }
          return result
        },
        options,
      ),
  }
  const open = (database: Database) => {
    const feed = createFeed({ tenantId, credentialId, database, limits: feedLimits, now: () => nowMs.value, log })
    feed.advanceWatermark(untilMs)
    return feed
  }
  const first = open(holding)
  const second = open(feeds.database)
  const firstDone = advanceTiers(first)
  await isHolding.promise
  await advanceTiers(second)
  expect(second.monitor.totals.rollups).toBeGreaterThan(20)
  expect((await countTier()).length).toBe(32)
  const readWatermark = () => feeds.rows(tenantId, "select from rollup_watermarks where tier = 'tier_2min'")
  expect(await readWatermark()).toEqual([])
  goOn.resolve()
  await firstDone
  expect((await countTier()).length).toBe(40)
  expect(await readWatermark()).toHaveLength(1)
  expect(
    await feeds.rows(
      tenantId,
      `select from dirty_buckets where tier in ('tier_2min', 'tier_15min') and at < '${new Date(untilMs - 60 * MINUTE_MS).toISOString()}'`,
    ),
  ).toEqual([])
})
