import { afterAll, beforeEach, expect, test } from 'vitest'
import { ingestBatch } from './ingest-batch.ts'
import type { RawBatch } from './raw-batches.ts'
import { sweepSilent } from './sweep.ts'
import { telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'

const S = 1_000
const MIN = 60 * S

let feeds: TwoFeeds
let t0: number
beforeEach(async () => {
  await feeds?.close()
  feeds = await createTwoFeeds()
  // Starts on a whole interval, so that the tests can count in rows.
  t0 = Math.floor((feeds.nowMs.value - 10 * MIN) / 15_000) * 15_000
})
afterAll(() => feeds.close())

const everything = async (tenantId: string) => ({
  samples: await feeds.rows(tenantId, 'select terminal_id, at, downlink_mbps, alerts from samples order by 1, 2'),
  latest: await feeds.rows(
    tenantId,
    'select latest.* from latest join terminals on terminals.id = terminal_id order by device_id',
  ),
  routers: await feeds.rows(tenantId, 'select * from latest_routers order by router_id'),
  addresses: await feeds.rows(tenantId, 'select * from latest_addresses order by terminal_id'),
  receipts: await feeds.rows(
    tenantId,
    'select id, applied_at from telemetry_batches where applied_at is not null order by id limit 1',
  ),
  intervals: await feeds.rows(tenantId, 'select * from status_intervals order by started_at, terminal_id'),
})

const listStatuses = (tenantId: string, device: string) =>
  feeds.rows<{ status: string; disabled: boolean; at: Date }>(
    tenantId,
    `select status, disabled, started_at as at from status_intervals
     join terminals on terminals.id = terminal_id where device_id = '${device}' order by started_at`,
  )

const fullBody = () =>
  telemetryBody(
    [
      { device: 'one', atMs: t0, downlinkMbps: 1 },
      { device: 'one', atMs: t0 + 15 * S, downlinkMbps: 2, alerts: [61] },
      { device: 'two', atMs: t0 + 1 * S, alerts: [55] },
    ],
    {
      addresses: [{ device: 'one', atMs: t0, ipv4: ['100.64.0.1'] }],
      routers: [{ router: 'Router-one', atMs: t0, clients: 7 }],
    },
  )

test('a batch writes samples, newest state, addresses, routers, status and its receipt for its tenant only', async () => {
  await feeds.receive(feeds.alpha, fullBody())
  const alpha = await everything('alpha')
  expect(alpha.samples).toHaveLength(3)
  expect(alpha.latest).toMatchObject([
    { at: new Date(t0 + 15 * S), downlink_mbps: 2, alerts: ['power_disconnect_detected'], h3_cell: '855f4157fffffff' },
    { at: new Date(t0 + S), alerts: ['disabled_no_active_account'] },
  ])
  expect(alpha.routers).toMatchObject([{ clients: 7 }])
  expect(alpha.addresses).toMatchObject([{ ipv4: ['100.64.0.1'], ipv6_ue: ['2605:59c8::/64'], ipv6_cpe: [] }])
  expect(alpha.intervals).toMatchObject([
    { status: 'online', disabled: false, started_at: new Date(t0), ended_at: null },
    { status: 'online', disabled: true, started_at: new Date(t0 + S), ended_at: null },
  ])
  expect(await feeds.rows('alpha', 'select * from telemetry_batches')).toMatchObject([
    {
      body: null,
      terminal_rows: 3,
      skipped_rows: 0,
      first_sample_at: new Date(t0),
      last_sample_at: new Date(t0 + 15 * S),
    },
  ])
  expect(await everything('beta')).toEqual({
    samples: [],
    latest: [],
    routers: [],
    addresses: [],
    receipts: [],
    intervals: [],
  })
})

test('a router and an address from the future do not hide what follows', async () => {
  const report = (atMs: number, clients: number) =>
    feeds.receive(
      feeds.alpha,
      telemetryBody([{ device: 'one', atMs: t0 }], {
        routers: [{ router: 'Router-one', atMs, clients }],
        addresses: [{ device: 'one', atMs, ipv4: [`100.64.0.${clients}`] }],
      }),
    )
  await report(t0, 1)
  await report(Date.UTC(2150, 0, 1), 2)
  await report(t0 + 15 * S, 3)
  const { routers, addresses } = await everything('alpha')
  expect(routers).toMatchObject([{ clients: 3, at: new Date(t0 + 15 * S) }])
  expect(addresses).toMatchObject([{ ipv4: ['100.64.0.3'] }])
})

test('times of another year do not keep what follows waiting, also if there are no others', async () => {
  const at = [t0, Date.UTC(2150, 0, 1), t0 + 400 * 24 * 60 * MIN, t0 + 15 * S]
  for (const atMs of at) await feeds.receive(feeds.alpha, telemetryBody([{ device: 'one', atMs }]))
  const { samples, latest } = await everything('alpha')
  expect(samples.map((sample) => sample.at)).toEqual([new Date(t0), new Date(t0 + 15 * S)])
  expect(latest).toMatchObject([{ at: new Date(t0 + 15 * S) }])
})

test('a router that starts again is counted once for each time, whatever comes late or twice', async () => {
  const report = (seconds: number, uptimeS?: number) =>
    feeds.receive(
      feeds.alpha,
      telemetryBody([], { routers: [{ router: 'Router-one', atMs: t0 + seconds * S, clients: 7, uptimeS }] }),
    )
  const count = async () => (await feeds.rows('alpha', 'select restarts from latest_routers'))[0]?.restarts
  await report(0, 900)
  await report(15, 915)
  expect(await count()).toBe(0)
  await report(60, 5)
  await report(60, 5)
  await report(30, 930)
  await report(75)
  expect(await count()).toBe(1)
  await report(90, 35)
  await report(105, 3)
  expect(await count()).toBe(2)
})

test('a batch applied twice and rows sent twice change nothing', async () => {
  await feeds.store(feeds.alpha, fullBody())
  const raw = (await feeds.findWaiting(feeds.alpha)) as RawBatch
  await ingestBatch(feeds.alpha, raw)
  const once = await everything('alpha')
  await ingestBatch(feeds.alpha, raw)
  expect(await everything('alpha')).toEqual(once)
  await feeds.receive(feeds.alpha, fullBody())
  expect(await everything('alpha')).toEqual(once)
})

test('two processes that try to apply the same batch at once apply it once', async () => {
  await feeds.store(feeds.alpha, fullBody())
  const raw = (await feeds.findWaiting(feeds.alpha)) as RawBatch
  const other = feeds.reopen('alpha', feeds.alpha.credentialId)
  await Promise.all([ingestBatch(feeds.alpha, raw), ingestBatch(other, raw)])
  expect((await everything('alpha')).samples).toHaveLength(3)
  expect((await everything('alpha')).intervals).toHaveLength(2)
})

test('rows in any order, within and between batches, produce the newest state and every sample', async () => {
  const row = (seconds: number) => ({ device: 'one', atMs: t0 + seconds * S, downlinkMbps: seconds })
  await feeds.receive(feeds.alpha, telemetryBody([row(45), row(15), row(30), row(30)]))
  await feeds.receive(feeds.alpha, telemetryBody([row(0), row(30)]))
  const { samples, latest, intervals } = await everything('alpha')
  expect(samples.map((sample) => sample.downlink_mbps)).toEqual([0, 15, 30, 45])
  expect(latest).toMatchObject([{ at: new Date(t0 + 45 * S), downlink_mbps: 45 }])
  expect(intervals).toHaveLength(1)
})

test('an address row without addresses is stored as empty lists', async () => {
  const address = (seconds: number, ipv4: string[]) => ({ device: 'one', atMs: t0 + seconds * S, ipv4 })
  await feeds.receive(feeds.alpha, telemetryBody([], { addresses: [address(0, ['100.64.0.1'])] }))
  await feeds.receive(feeds.alpha, telemetryBody([], { addresses: [address(60, [])] }))
  expect((await everything('alpha')).addresses).toMatchObject([{ ipv4: [], ipv6_ue: [], ipv6_cpe: [] }])
})

test('unknown columns and alerts are stored, unknown devices are skipped, and each is logged once', async () => {
  const body = (seconds: number) =>
    telemetryBody([
      { device: 'one', atMs: t0 + seconds * S, novelty: 21.5, alerts: [61, 999] },
      { device: 'stranger', atMs: t0 + seconds * S },
      { device: 'two', atMs: t0 + seconds * S },
    ])
  await feeds.receive(feeds.alpha, body(0))
  await feeds.receive(feeds.alpha, body(15))
  const { samples, latest } = await everything('alpha')
  expect(samples).toHaveLength(4)
  expect(latest[0]).toMatchObject({
    alerts: ['power_disconnect_detected', 'unknown_999'],
    extra: { BeamTemperature: 21.5 },
  })
  expect(feeds.warnings.map(({ tenantId, name }) => [tenantId, name])).toEqual([
    ['alpha', 'u.BeamTemperature'],
    ['alpha', 'unknown_999'],
    ['alpha', 'stranger'],
  ])
  expect(await feeds.rows('alpha', 'select skipped_rows from telemetry_batches')).toMatchObject([
    { skipped_rows: 1 },
    { skipped_rows: 1 },
  ])
})

test('samples older than two days and rows from the future are skipped', async () => {
  const now = feeds.nowMs.value
  await feeds.receive(
    feeds.alpha,
    telemetryBody([
      { device: 'one', atMs: now - 49 * 60 * MIN },
      { device: 'one', atMs: now },
      { device: 'two', atMs: now + 61 * MIN },
    ]),
  )
  const { samples, latest } = await everything('alpha')
  expect(samples).toMatchObject([{ at: new Date(now) }])
  expect(latest).toMatchObject([{ at: new Date(now) }])
})

/** One row of each device in every interval of `[fromS, toS)`. */
const buildRows = (devices: string[], fromS: number, toS: number) => {
  const rows = []
  for (let second = fromS; second < toS; second += 15)
    for (const device of devices) rows.push({ device, atMs: t0 + second * S })
  return rows
}

test('a terminal that goes silent while others report goes offline, and two rows bring it back online', async () => {
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two'], 0, 60)))
  await feeds.receive(feeds.beta, telemetryBody(buildRows(['one', 'two'], 0, 60)))
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['two'], 60, 300)))
  await sweepSilent(feeds.alpha)
  await sweepSilent(feeds.beta)
  const untilOffline = [
    { status: 'online', disabled: false, at: new Date(t0) },
    { status: 'offline', disabled: false, at: new Date(t0 + 60 * S) },
  ]
  expect(await listStatuses('alpha', 'one')).toEqual(untilOffline)
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two'], 300, 315)))
  expect(await listStatuses('alpha', 'one')).toEqual(untilOffline)
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two'], 315, 330)))
  expect(await listStatuses('alpha', 'one')).toEqual([
    ...untilOffline,
    { status: 'online', disabled: false, at: new Date(t0 + 315 * S) },
  ])
  expect(await listStatuses('alpha', 'two')).toHaveLength(1)
  expect(await listStatuses('beta', 'one')).toHaveLength(1)
})

test('a silence within one large batch is detected', async () => {
  const rows = [...buildRows(['two'], 0, 600), ...buildRows(['one'], 0, 60), ...buildRows(['one'], 400, 600)]
  await feeds.receive(feeds.alpha, telemetryBody(rows))
  expect((await listStatuses('alpha', 'one')).map(({ status }) => status)).toEqual(['online', 'offline', 'online'])
})

test('no terminal changes while the whole feed is silent or late', async () => {
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two', 'three'], 0, 60)))
  feeds.nowMs.value += 30 * MIN
  await feeds.receive(feeds.alpha, telemetryBody([]))
  await sweepSilent(feeds.alpha)
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two', 'three'], 1_500, 1_515)))
  await sweepSilent(feeds.alpha)
  for (const device of ['one', 'two', 'three'])
    expect(await listStatuses('alpha', device)).toEqual([{ status: 'online', disabled: false, at: new Date(t0) }])
})

test('terminals that fell silent before a restart, as all of their account, are offline once the silence is trusted', async () => {
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two', 'three'], 0, 60)))
  const restarted = feeds.reopen('alpha', feeds.alpha.credentialId)
  const startMs = feeds.nowMs.value
  const receiveNothing = async (fromMs: number, toMs: number) => {
    for (feeds.nowMs.value = startMs + fromMs; feeds.nowMs.value <= startMs + toMs; feeds.nowMs.value += 15 * S) {
      await feeds.receive(restarted, telemetryBody([]))
      await sweepSilent(restarted)
    }
  }
  const countOffline = async () =>
    (await listStatuses('alpha', 'one')).filter(({ status }) => status === 'offline').length
  await receiveNothing(0, 5 * MIN)
  await receiveNothing(38 * MIN, 39 * MIN)
  expect(await countOffline()).toBe(0)
  await receiveNothing(40 * MIN, 45 * MIN)
  expect((await listStatuses('alpha', 'one')).at(-1)).toMatchObject({ status: 'offline', at: new Date(t0 + 60 * S) })
  expect(
    await feeds.rows(
      'alpha',
      `select from feed_coverage where observed @> '${new Date(startMs + 42 * MIN).toISOString()}'::timestamptz`,
    ),
  ).toHaveLength(1)
})

test('incidents are judged at the first sweep, when a feed becomes late, and when it is in time again', async () => {
  const sweepAndCount = async () => {
    await feeds.rows('alpha', 'delete from job_requests')
    await sweepSilent(feeds.alpha)
    return (await feeds.rows('alpha', "select from job_requests where queue = 'incidents'")).length
  }
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two'], 540, 600)))
  expect(await sweepAndCount()).toBe(1)
  expect(await sweepAndCount()).toBe(0)
  feeds.nowMs.value += 15 * MIN
  expect(await sweepAndCount()).toBe(1)
  expect(await sweepAndCount()).toBe(0)
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two'], 1_440, 1_500)))
  expect(await sweepAndCount()).toBe(1)
})

test('a dish whose clock runs ahead makes no other terminal look silent', async () => {
  await feeds.receive(feeds.alpha, telemetryBody(buildRows(['one', 'two'], 0, 60)))
  const ahead = buildRows(['three'], 1_200, 1_800)
  await feeds.receive(feeds.alpha, telemetryBody(ahead))
  await sweepSilent(feeds.alpha)
  expect((await listStatuses('alpha', 'one')).map(({ status }) => status)).toEqual(['online'])
})

test('an empty response leaves no receipt but marks the feed as healthy', async () => {
  await feeds.receive(feeds.alpha, telemetryBody([]))
  expect(await feeds.rows('alpha', 'select id from telemetry_batches')).toEqual([])
  expect(await feeds.rows('alpha', 'select last_success_at from vendor_feeds')).toMatchObject([
    { last_success_at: new Date(feeds.nowMs.value) },
  ])
  expect(await feeds.rows('beta', 'select * from vendor_feeds')).toEqual([])
})

test('alerts that begin and end, and changes of status, are events for webhooks, once each', async () => {
  await feeds.rows(
    'alpha',
    `insert into webhook_endpoints (tenant_id, id, name, url, format, event_types, sealed_secret, created_at)
     values ('alpha', gen_random_uuid(), 'Desk', 'https://desk.example/', 'standard',
       '{terminal.alert_raised,terminal.alert_cleared,terminal.status_changed}', '\\x00', now()) returning id`,
  )
  const listEvents = () =>
    feeds.rows<{ type: string; subject: object }>(
      'alpha',
      "select type, subject - 'terminalId' as subject from webhook_deliveries order by created_at, occurred_at, type",
    )
  await feeds.receive(feeds.alpha, telemetryBody([{ device: 'one', atMs: t0, alerts: [61] }]))
  // The first known value is not a change.
  expect(await listEvents()).toEqual([])
  const next = telemetryBody([{ device: 'one', atMs: t0 + 15 * S, alerts: [55] }])
  await feeds.receive(feeds.alpha, next)
  await feeds.receive(feeds.alpha, next)
  expect(await listEvents()).toEqual([
    { type: 'terminal.alert_cleared', subject: { alert: 'power_disconnect_detected' } },
    { type: 'terminal.alert_raised', subject: { alert: 'disabled_no_active_account' } },
    { type: 'terminal.status_changed', subject: { status: 'disabled', previousStatus: 'online' } },
  ])
})
