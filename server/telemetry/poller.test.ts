import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from '../platform/worker/pause.ts'
import type { Feed } from './feed.ts'
import { createFeedHealth } from './feed-health.ts'
import { pollerLimits, runPoller } from './poller.ts'
import type { PendingBatch } from './raw-batches.ts'
import { telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'

let feeds: TwoFeeds
let superuser: pg.Pool
beforeAll(async () => {
  feeds = await createTwoFeeds()
  superuser = new pg.Pool({ ...feeds.superuser, max: 1 })
})
afterAll(async () => {
  await superuser.end()
  await feeds.close()
})

/** A vendor that sends these bodies, then nothing until there are more. */
const run = (feed: Feed, bodies: string[]) => {
  const stop = new AbortController()
  const client = {
    queryTelemetry: async () => '{"content":{}}',
    streamTelemetry: async () => {
      while (bodies.length === 0 && !stop.signal.aborted) await pause(5, stop.signal)
      return bodies.shift() ?? telemetryBody([])
    },
  }
  const report = createFeedHealth({ ...feed, feed: 'telemetry' })
  const limits = { ...pollerLimits, pauseMs: 0, retryFirstMs: 10, retryLongestMs: 20 }
  const done = runPoller({ feed, client, limits, report, stop: stop.signal })
  return async () => {
    stop.abort()
    await done
  }
}

const rowAt = (secondsAgo: number) => telemetryBody([{ device: 'one', atMs: feeds.nowMs.value - secondsAgo * 1000 }])
const countSamples = async (tenantId: string) => (await feeds.rows(tenantId, 'select at from samples')).length
const listBatches = (tenantId: string) =>
  feeds.rows<{ failed: string | null; has_body: boolean; attempts: number }>(
    tenantId,
    'select failed, body is not null as has_body, attempts from telemetry_batches order by id',
  )

test('a malformed batch is set aside with its body, and the batches after it are applied', async () => {
  const stop = run(feeds.alpha, [rowAt(60), 'not telemetry at all', rowAt(45)])
  await expect.poll(() => countSamples('alpha')).toBe(2)
  await stop()
  expect((await listBatches('alpha')).filter(({ failed }) => failed)).toEqual([
    { failed: 'The telemetry response is not JSON.', has_body: true, attempts: 1 },
  ])
  expect(await listBatches('beta')).toEqual([])
})

test('a batch that the database rejects is retried a limited number of times, then set aside', async () => {
  await superuser.query('alter table latest add constraint refused check (downlink_mbps <> 666)')
  const poison = telemetryBody([{ device: 'two', atMs: feeds.nowMs.value - 30_000, downlinkMbps: 666 }])
  const stop = run(feeds.beta, [poison, rowAt(15)])
  await expect.poll(() => countSamples('beta')).toBe(1)
  await stop()
  const [first] = await listBatches('beta')
  expect(first).toMatchObject({ has_body: true, attempts: pollerLimits.ingestAttempts })
  expect(first?.failed).toContain('refused')
  await superuser.query('alter table latest drop constraint refused')
})

test('batches that arrive while another is applied are never read back from the database', async () => {
  await feeds.applyWaiting(feeds.alpha)
  const missed: number[] = []
  const feed = feeds.reopen('alpha', feeds.alpha.credentialId)
  feed.pendingBatches = new (class extends Map<number, PendingBatch> {
    override get(id: number) {
      if (!this.has(id)) missed.push(id)
      return super.get(id)
    }
  })()
  const before = await countSamples('alpha')
  const bodies = [rowAt(610)]
  const stop = run(feed, bodies)
  await expect.poll(() => countSamples('alpha')).toBe(before + 1)
  await superuser.query('begin; lock table samples in exclusive mode')
  bodies.push(rowAt(609), rowAt(608), rowAt(607), rowAt(606))
  const waiting = async () => (await listBatches('alpha')).filter(({ has_body, failed }) => has_body && !failed).length
  await expect.poll(waiting).toBeGreaterThanOrEqual(2)
  for (let nth = 0; nth < 50; nth++) await waiting()
  await superuser.query('commit')
  await expect.poll(() => countSamples('alpha')).toBe(before + 5)
  await stop()
  expect(missed).toEqual([])
})

test('telemetry is held while the database is unavailable and stored once it is back', async () => {
  const before = await countSamples('alpha')
  const feed = feeds.reopen('alpha', feeds.alpha.credentialId)
  await superuser.query('revoke insert on telemetry_batches from dishboard_runtime')
  const stop = run(feed, [rowAt(10)])
  await expect
    .poll(() => feeds.warnings.map(({ message }) => message))
    .toContain('Telemetry cannot be stored. It is held in memory and will be retried.')
  await superuser.query('grant insert on telemetry_batches to dishboard_runtime')
  await expect.poll(() => countSamples('alpha')).toBe(before + 1)
  await stop()
})

test('a batch stored before a restart is applied after it', async () => {
  const before = await countSamples('alpha')
  await feeds.store(feeds.alpha, rowAt(5))
  const stop = run(feeds.reopen('alpha', feeds.alpha.credentialId), [])
  await expect.poll(() => countSamples('alpha')).toBe(before + 1)
  await stop()
})
