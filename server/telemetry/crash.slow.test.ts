import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceTiers } from './advance-tiers.ts'
import type { Feed } from './feed.ts'
import { telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'

const HOUR_MS = 3_600_000
const child = fileURLToPath(new URL('./testing/ingest-and-die.ts', import.meta.url))

let feeds: TwoFeeds
beforeAll(async () => {
  feeds = await createTwoFeeds()
})
afterAll(() => feeds.close())

interface Death {
  fatal?: string
  statements?: number
  receivedUntilMs?: number
}

const applyAndDie = async ({ tenantId, credentialId }: Feed, { receivedUntilMs = 0, ...death }: Death) => {
  const given = JSON.stringify({ connection: feeds.runtime, tenantId, credentialId, receivedUntilMs, ...death })
  const doomed = spawn(process.execPath, [child, given], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = await once(doomed, 'exit')
  return signal
}

const counts = async (tenantId: string) => {
  const [row] = await feeds.rows(
    tenantId,
    `select (select count(*)::int from samples) as samples, (select count(*)::int from status_intervals) as intervals,
      (select count(*)::int from telemetry_batches where applied_at is null) as waiting`,
  )
  return row
}

test('a batch whose process is killed is applied exactly once by the next process', async () => {
  const { alpha, beta, nowMs } = feeds
  const body = telemetryBody(
    ['one', 'two', 'three'].flatMap((device) =>
      [0, 15, 30].map((s) => ({ device, atMs: nowMs.value - 60_000 + s * 1000 })),
    ),
  )
  await feeds.store(alpha, body)
  await feeds.store(beta, body)
  const isApplied = 'select from telemetry_batches where applied_at is not null'
  expect(await applyAndDie(alpha, { fatal: isApplied })).toBe('SIGKILL')
  expect(await counts('alpha')).toEqual({ samples: 0, intervals: 0, waiting: 1 })

  await feeds.applyWaiting(feeds.reopen('alpha', alpha.credentialId))
  expect(await counts('alpha')).toEqual({ samples: 9, intervals: 3, waiting: 0 })
  await feeds.applyWaiting(feeds.reopen('alpha', alpha.credentialId))
  expect(await counts('alpha')).toEqual({ samples: 9, intervals: 3, waiting: 0 })
  expect(await counts('beta')).toEqual({ samples: 0, intervals: 0, waiting: 1 })
})

const readTier = (tenantId: string, tier: string) =>
  feeds.rows<{ at: Date; n: number; sum: number }>(
    tenantId,
    `select at, sum(n)::int as n, sum(downlink_sum)::float8 as sum from ${tier} group by at order by at`,
  )

test('the tiers are correct after processes are killed while they compute them', async () => {
  const { beta, nowMs } = feeds
  const startMs = Math.floor((nowMs.value - 3 * HOUR_MS) / (2 * HOUR_MS)) * 2 * HOUR_MS
  const rows = []
  for (let atMs = startMs; atMs < startMs + 2 * HOUR_MS + 60_000; atMs += 60_000)
    rows.push({ device: 'one', atMs, downlinkMbps: 1 }, { device: 'two', atMs, downlinkMbps: 2 })
  await feeds.applyWaiting(feeds.reopen('beta', beta.credentialId))
  await feeds.store(beta, telemetryBody(rows))
  const receivedUntilMs = startMs + 2 * HOUR_MS + 60_000
  for (const tier of ['tier_2min', 'tier_15min', 'tier_1h', 'tier_2h']) {
    expect(await applyAndDie(beta, { fatal: `select from ${tier}`, receivedUntilMs }), tier).toBe('SIGKILL')
    expect(await readTier('beta', tier), tier).toEqual([])
  }
  const successor = feeds.reopen('beta', beta.credentialId)
  successor.advanceWatermark(receivedUntilMs)
  await advanceTiers(successor)
  expect(await readTier('beta', 'tier_2h')).toEqual([{ at: new Date(startMs), n: 240, sum: 360 }])
  expect(await readTier('beta', 'tier_1h')).toHaveLength(2)
  expect((await readTier('beta', 'tier_2min')).reduce((sum, { n }) => sum + n, 0)).toBe(240)
  expect(await readTier('alpha', 'tier_2h')).toEqual([])
})

test('a worker killed after any number of statements loses and duplicates nothing', async () => {
  const { alpha, nowMs } = feeds
  const startMs = Math.floor((nowMs.value - 20 * HOUR_MS) / (2 * HOUR_MS)) * 2 * HOUR_MS
  const countStored = () =>
    feeds.rows(
      'alpha',
      `select
        (select count(*)::int from samples where at >= '${new Date(startMs).toISOString()}' and at < '${new Date(startMs + 2 * HOUR_MS).toISOString()}') as samples,
        (select sum(n)::int from tier_2min where at >= '${new Date(startMs).toISOString()}' and at < '${new Date(startMs + 2 * HOUR_MS).toISOString()}') as rolled,
        (select sum(downlink_sum)::int from tier_2h where at = '${new Date(startMs).toISOString()}') as downlink,
        (select count(*)::int from telemetry_batches where applied_at is null) as waiting`,
    )
  const deaths = [3, 8, 12, 16, 20, 24, 28, 34, 42, 50, 60]
  const signals: (string | null)[] = []
  for (const [nth, statements] of deaths.entries()) {
    // Each batch fills two two-minute buckets. The last one closes the two-hour bucket.
    const fromMs = startMs + nth * 4 * 60_000
    const rows = []
    for (let atMs = fromMs; atMs < fromMs + 4 * 60_000; atMs += 60_000)
      for (const device of ['one', 'two', 'three']) rows.push({ device, atMs, downlinkMbps: 1 })
    await feeds.store(alpha, telemetryBody(rows))
    const receivedUntilMs = nth === deaths.length - 1 ? startMs + 3 * HOUR_MS : fromMs + 3 * 60_000
    signals.push(await applyAndDie(alpha, { statements, receivedUntilMs }))
  }
  expect(signals.filter((signal) => signal === 'SIGKILL').length).toBeGreaterThan(6)
  const successor = feeds.reopen('alpha', alpha.credentialId)
  await feeds.applyWaiting(successor)
  successor.advanceWatermark(startMs + 3 * HOUR_MS)
  await advanceTiers(successor)
  const reported = deaths.length * 4 * 3
  expect(await countStored()).toEqual([{ samples: reported, rolled: reported, downlink: reported, waiting: 0 }])
})
