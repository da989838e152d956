import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStarlinkClient } from '#starlink/client.ts'
import { forBackgroundWork } from '../platform/database/database.ts'
import { pause } from '../platform/worker/pause.ts'
import { OWN_LOCKS } from '../testing/own-locks.ts'
import { startSpoolDrain } from './drain-spool.ts'
import type { Feed } from './feed.ts'
import { createFeedHealth } from './feed-health.ts'
import { pollerLimits, runPoller } from './poller.ts'
import { compressBody, type PendingBatch, storeRawBatch } from './raw-batches.ts'
import type { Spool } from './spool.ts'
import { openTestSpool } from './testing/open-test-spool.ts'
import { telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'

const HOUR_MS = 3_600_000

let feeds: TwoFeeds
let superuser: pg.Pool
let spool: Spool
let spoolFolder: string
beforeAll(async () => {
  spoolFolder = await mkdtemp(join(tmpdir(), 'spool-'))
  spool = await openTestSpool({ folder: spoolFolder })
  feeds = await createTwoFeeds()
  superuser = new pg.Pool({ ...feeds.superuser, max: 1 })
})
afterAll(async () => {
  await superuser.end()
  await feeds.close()
})

/** A vendor that sends these bodies, then nothing until more are added. */
const run = (feed: Feed, bodies: string[], into = spool) => {
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
  const done = runPoller({ feed, spool: into, client, limits, report, stop: stop.signal })
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

function* repeat(chunk: Buffer) {
  for (;;) yield chunk
}

test('the stream is read also if the newest values of each device are too large to be read', async () => {
  const feed = feeds.reopen('alpha', feeds.alpha.credentialId)
  const chunk = Buffer.alloc(1024 * 1024, ' ')
  let streamed = 0
  const vendor = createServer(({ url }, response) => {
    if (url === '/token') return response.end('{"access_token":"token","expires_in":600}')
    if (url === '/telemetry/stream') return response.end(streamed++ === 0 ? rowAt(90) : telemetryBody([]))
    Readable.from(repeat(chunk)).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const baseUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  const client = createStarlinkClient({ baseUrl, tokenUrl: `${baseUrl}/token`, clientId: 'x', clientSecret: 'y' })
  const stop = new AbortController()
  const report = createFeedHealth({ ...feed, feed: 'telemetry' })
  const done = runPoller({ feed, spool, client, limits: pollerLimits, report, stop: stop.signal })
  await expect.poll(() => countSamples('alpha'), { timeout: 30_000 }).toBe(1)
  stop.abort()
  await done
  vendor.close()
  vendor.closeAllConnections()
})

test('a malformed batch is set aside with its body, and the batches after it are applied', async () => {
  const stop = run(feeds.alpha, [rowAt(60), 'not telemetry at all', rowAt(45)])
  await expect.poll(() => countSamples('alpha')).toBe(3)
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

test('a stop that cancels the statement of a batch does not count against the batch', async () => {
  await feeds.applyWaiting(feeds.alpha)
  const before = await countSamples('alpha')
  const database = forBackgroundWork(feeds.database)
  const feed = { ...feeds.reopen('alpha', feeds.alpha.credentialId), database }
  await superuser.query('begin; lock table samples in exclusive mode')
  const stop = run(feed, [rowAt(1_200)])
  const listWaiting = async () => {
    const { rows } = await superuser.query(
      `select 1 from ${OWN_LOCKS} where not granted and relation = 'samples'::regclass`,
    )
    return rows
  }
  await expect.poll(listWaiting).toHaveLength(1)
  const stopped = stop()
  await database.cancelStatements()
  await stopped
  await superuser.query('commit')
  expect((await listBatches('alpha')).at(-1)).toEqual({ failed: null, has_body: true, attempts: 0 })
  const stopAgain = run(feed, [])
  await expect.poll(() => countSamples('alpha')).toBe(before + 1)
  await stopAgain()
})

test('telemetry is on disk while the database cannot store it, and is stored once it can', async () => {
  const before = await countSamples('alpha')
  const feed = feeds.reopen('alpha', feeds.alpha.credentialId)
  await superuser.query('revoke insert on telemetry_batches from dishboard_runtime')
  const stop = run(feed, [rowAt(10), rowAt(9)])
  const drain = startSpoolDrain({ spool, database: feeds.database, log: feed.log })
  const listMessages = () => feeds.warnings.map(({ message }) => message)
  await expect
    .poll(listMessages)
    .toContain('Telemetry cannot be stored in the database now. It is on disk and will be stored.')
  await expect
    .poll(listMessages)
    .toContain('Spooled telemetry cannot be stored in the database. It stays on disk and is tried again every second.')
  expect(spool.getState().files).toBe(1)
  await superuser.query('grant insert on telemetry_batches to dishboard_runtime')
  await expect.poll(() => countSamples('alpha')).toBe(before + 2)
  await stop()
  await drain.stop()
  expect(spool.getState().files).toBe(0)
})

test('telemetry is held in memory while neither disk nor database can store it', async () => {
  const before = await countSamples('beta')
  const feed = feeds.reopen('beta', feeds.beta.credentialId)
  const folder = await mkdtemp(join(tmpdir(), 'spool-'))
  const broken = await openTestSpool({ folder })
  await writeFile(join(folder, 'beta'), 'a file where a folder should be')
  await superuser.query('revoke insert on telemetry_batches from dishboard_runtime')
  const stop = run(feed, [rowAt(4)], broken)
  await expect
    .poll(() => feeds.warnings.map(({ message }) => message))
    .toContain(
      'Telemetry can be written neither to disk nor to the database. It is held in memory and tried again every second.',
    )
  await superuser.query('grant insert on telemetry_batches to dishboard_runtime')
  await expect.poll(() => countSamples('beta')).toBe(before + 1)
  await stop()
})

test('storing a spooled response twice stores it once', async () => {
  const { tenantId, credentialId } = feeds.alpha
  const response = await spool.receive(feeds.alpha, { receivedAt: new Date(feeds.nowMs.value) })
  response.write(Buffer.from(rowAt(3)))
  const { id: responseId, receivedAt } = await response.finish()
  const packedBody = await compressBody(rowAt(3))
  const store = () =>
    feeds.database.transaction({ tenantId }, (db) =>
      storeRawBatch(db, { tenantId, credentialId, kind: 'stream', packedBody, receivedAt, responseId }),
    )
  expect(await store()).toEqual(expect.any(Number))
  expect(await store()).toBeUndefined()
  // As after a crash between the commit and the removal of the file.
  const next = await openTestSpool({ folder: spoolFolder })
  const drain = startSpoolDrain({ spool: next, database: feeds.database, log: feeds.alpha.log })
  await expect.poll(() => next.getState().files).toBe(0)
  await drain.stop()
  expect(
    await feeds.rows(tenantId, `select id from telemetry_batches where response_id = '${responseId}'`),
  ).toHaveLength(1)
  await feeds.applyWaiting(feeds.alpha)
})

test('a batch stored before a restart is applied after it', async () => {
  const before = await countSamples('alpha')
  await feeds.store(feeds.alpha, rowAt(5))
  const stop = run(feeds.reopen('alpha', feeds.alpha.credentialId), [])
  await expect.poll(() => countSamples('alpha')).toBe(before + 1)
  await stop()
})

test('telemetry that arrives while the clock is hours behind waits, and is stored once the clock is right', async () => {
  const before = await countSamples('beta')
  const countReports = () =>
    feeds.warnings.filter(({ message }) => message.startsWith('Telemetry cannot be applied')).length
  const reported = countReports()
  const rightMs = feeds.nowMs.value
  feeds.nowMs.value -= 5 * HOUR_MS
  const rows = ['one', 'two'].flatMap((device) =>
    [16_201, 33].map((secondsAgo) => ({ device, atMs: rightMs - secondsAgo * 1000 })),
  )
  const stop = run(feeds.reopen('beta', feeds.beta.credentialId), [telemetryBody(rows)])
  const isStored = async () => (await listBatches('beta')).some(({ has_body, failed }) => has_body && !failed)
  await expect.poll(isStored).toBe(true)
  await expect.poll(countReports).toBe(reported + 1)
  expect(await countSamples('beta')).toBe(before)
  feeds.nowMs.value = rightMs
  await expect.poll(() => countSamples('beta')).toBe(before + rows.length)
  await stop()
})

test('neither polling nor unknown terminals wait for a clock that was set back to get there again', async () => {
  const feed = feeds.reopen('alpha', feeds.alpha.credentialId)
  const rightMs = feeds.nowMs.value
  const stop = new AbortController()
  let requests = 0
  const client = {
    queryTelemetry: async () => '{"content":{}}',
    streamTelemetry: async () => {
      requests++
      feeds.nowMs.value -= HOUR_MS
      return telemetryBody([])
    },
  }
  const limits = { ...pollerLimits, pauseMs: 50, retryFirstMs: 10, retryLongestMs: 20 }
  const report = createFeedHealth({ ...feed, feed: 'telemetry' })
  const done = runPoller({ feed, spool, client, limits, report, stop: stop.signal })
  await expect.poll(() => requests).toBeGreaterThan(2)
  stop.abort()
  await done
  const devices = feed.devices()
  feed.reportUnknownDevice()
  feeds.nowMs.value -= HOUR_MS
  expect(feed.devices()).not.toBe(devices)
  feeds.nowMs.value = rightMs
})
