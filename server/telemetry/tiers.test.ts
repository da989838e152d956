import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseTelemetry } from '#starlink/telemetry.ts'
import { connectVendor } from '../vendor/credentials.ts'
import { advanceTiers } from './advance-tiers.ts'
import { measures } from './measures.ts'
import { selectTierChart, selectTierPoints, selectWatermarks } from './points.ts'
import { type Row, telemetryBody } from './testing/telemetry-body.ts'
import { bruteForce, createTierTruth } from './testing/tier-truth.ts'
import { createTwoFeeds, secrets, type TwoFeeds } from './testing/two-feeds.ts'
import { getBucketStart, tiers } from './tiers.ts'
import { writeHistory } from './write-history.ts'

const HOUR = 3_600_000

let feeds: TwoFeeds
let startMs: number
let expectTruth: ReturnType<typeof createTierTruth>['expectTruth']
let clearAll: () => Promise<void>
let closeAll: ReturnType<typeof createTierTruth>['closeAll']
beforeAll(async () => {
  feeds = await createTwoFeeds()
  startMs = feeds.nowMs.value
  ;({ expectTruth, clearAll, closeAll } = createTierTruth(feeds))
})
afterAll(() => feeds.close())

const real = (value: number | null) => (value === null ? Number.NaN : Math.fround(value))

/** Decodes the times and values in the bytes of a chart. */
const drawn = (chart: Buffer) => {
  const length = 3 * measures.length
  const points: number[][] = []
  for (let at = 0; at < chart.length; at += 8 + 4 * length) {
    const atMs = Number(chart.readBigInt64BE(at) / 1000n) + Date.UTC(2000, 0, 1)
    points.push([atMs, ...Array.from({ length }, (_, place) => chart.readFloatBE(at + 8 + 4 * place))])
  }
  return points
}

/** Checks a chart's points, however much of them the tiers already hold. */
const expectPoints = async (rows: readonly Row[]) => {
  const [terminal] = await feeds.rows<{ id: number }>('alpha', `select id from terminals where device_id = 'one'`)
  const span = [new Date(getBucketStart(startMs - 8 * HOUR, 2 * HOUR)), new Date(startMs)]
  for (const tier of tiers) {
    const { points, chart } = await feeds.database.transaction({ tenantId: 'alpha' }, async (_, client) => {
      const watermarks = await client.query<[Date, Date]>({
        rowMode: 'array',
        text: `select ${selectWatermarks(tier, { tenant: '$1', credential: '$2', from: '$3::timestamptz' })}`,
        values: ['alpha', feeds.alpha.credentialId, span[0]],
      })
      const values = [terminal?.id, ...span, ...(watermarks.rows[0] as [Date, Date])]
      const { rows: points } = await client.query(
        `select * from (${selectTierPoints(tier)}) as points order by at`,
        values,
      )
      const { rows } = await client.query<{ chart: Buffer }>(selectTierChart(tier), values)
      return { points, chart: rows[0]?.chart as Buffer }
    })
    const expected = bruteForce(rows, tier).filter(({ device }) => device === 'one')

    expect(
      points.map((point) => [point.at.getTime(), point.n, point.downlink_min, point.downlink]),
      tier.name,
    ).toEqual(
      expected.map(({ at, n, downlink }) => [
        at,
        n,
        expect.closeTo(downlink[0] as number, 2),
        expect.closeTo((downlink[2] as number) / n, 2),
      ]),
    )
    expect(drawn(chart), tier.name).toEqual(
      points.map((point) => [
        point.at.getTime(),
        ...['', '_min', '_max'].flatMap((part) =>
          measures.map(({ tierColumn }) => real(point[`${tierColumn}${part}`])),
        ),
      ]),
    )
  }
}

const row = fc.record({
  device: fc.constantFrom('one', 'two', 'three'),
  // A coarse grid, up to five hours back, so that times repeat and buckets fill.
  atMs: fc.integer({ min: 0, max: 400 }).map((step) => step * 45_000),
  downlinkMbps: fc.integer({ min: 0, max: 3000 }).map((value) => value / 10),
  pingDrop: fc.constantFrom(0, 0.01, 1),
  latencyMs: fc.option(fc.integer({ min: 20, max: 200 }), { nil: null }),
  alerts: fc.constantFrom([], [], [], [61], [55, 61]),
})

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('batch' as const, 'batch while computing' as const),
      rows: fc.array(row, { maxLength: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('again' as const, 'advance' as const, 'restart' as const) }),
  },
)

test('every tier equals a computation over all samples, however late, duplicated or disordered they arrive', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await clearAll()
      let feed = feeds.reopen('alpha', feeds.alpha.credentialId)
      const reported: Row[] = []
      for (const step of steps) {
        if ('rows' in step) {
          const rows = step.rows.map((each) => ({ ...each, atMs: startMs - 5 * HOUR + each.atMs }))
          const computing = step.do === 'batch' ? undefined : advanceTiers(feed)
          await feeds.receive(feed, telemetryBody(rows))
          await computing
          reported.push(...rows)
        } else if (step.do === 'again') await feeds.receive(feed, telemetryBody(reported.slice(-30)))
        else if (step.do === 'advance') await advanceTiers(feed)
        else feed = feeds.reopen('alpha', feed.credentialId)
      }
      feed.advanceWatermark(Math.max(0, ...reported.map(({ atMs }) => atMs)))
      await advanceTiers(feed)
      await expectPoints(reported)
      await feeds.receive(feeds.reopen('beta', feeds.beta.credentialId), telemetryBody(reported.slice(0, 10)))
      await closeAll('alpha')
      await closeAll('beta')
      await expectTruth('alpha', reported)
      await expectTruth('beta', reported.slice(0, 10))
      expect(await feeds.rows('alpha', 'select * from dirty_buckets')).toEqual([])
    }),
    { numRuns: 12 },
  )
})

const BUCKET = 2 * HOUR

/** A second credential of alpha, to which the terminal `one` moves. */
const moveToSecondCredential = async () => {
  const credentialId = await feeds.database.transaction({ tenantId: 'alpha' }, (db) =>
    connectVendor(db, secrets, {
      tenantId: 'alpha',
      baseUrl: 'http://127.0.0.1:9/',
      tokenUrl: 'http://127.0.0.1:9/token',
      clientId: 'second client',
      clientSecret: 'secret',
    }),
  )
  await feeds.rows('alpha', `update terminals set credential_id = ${credentialId} where device_id = 'one'`)
  return credentialId
}

test.each(['the old', 'the new'] as const)(
  'a terminal that moves to another credential has one bucket of what both reported, even if the new one restarts (%s computes first)',
  async (first) => {
    await clearAll()
    const { credentialId } = feeds.alpha
    await feeds.rows('alpha', `update terminals set credential_id = ${credentialId}`)
    const fromMs = getBucketStart(startMs - 5 * HOUR, BUCKET)
    const buildRows = (device: string, minutes: readonly number[]) =>
      minutes.map((minute) => ({
        device,
        atMs: fromMs + minute * 60_000,
        downlinkMbps: minute,
        pingDrop: 0,
        latencyMs: 50,
      }))
    const before = [...buildRows('one', [0, 1, 2, 3, 4]), ...buildRows('two', [0, 1])]
    const after = buildRows('one', [5, 6, 7, 8, 9, 10, 11])
    const old = feeds.reopen('alpha', credentialId)
    await feeds.receive(old, telemetryBody(before))
    const second = await moveToSecondCredential()
    const stopped = feeds.reopen('alpha', second)
    old.invalidateDevices()
    await feeds.receive(stopped, telemetryBody(after.slice(0, 3)))
    await feeds.store(stopped, telemetryBody(after.slice(3, 5)))
    const next = feeds.reopen('alpha', second)
    await feeds.applyWaiting(next)
    await feeds.receive(next, telemetryBody(after.slice(5)))
    for (const feed of first === 'the old' ? [old, next] : [next, old]) {
      feed.advanceWatermark(fromMs + 2 * BUCKET)
      await advanceTiers(feed)
    }
    await expectTruth('alpha', [...before, ...after])
    await feeds.rows('alpha', `update terminals set credential_id = ${credentialId}`)
  },
)

test('batches, history and two computing processes never deadlock', async () => {
  await clearAll()
  const { credentialId } = feeds.alpha
  const terminals = await feeds.rows<{ id: number; device_id: string }>('alpha', 'select id, device_id from terminals')
  const one = feeds.reopen('alpha', credentialId)
  const other = feeds.reopen('alpha', credentialId)
  const reported: Row[] = []
  for (let round = 0; round < 8; round++) {
    const fromMs = getBucketStart(startMs - 4 * HOUR, BUCKET)
    const rowsAt = (offsetMs: number) =>
      terminals.flatMap(({ device_id: device }) =>
        Array.from({ length: 60 }, (_, step) => ({
          device,
          atMs: fromMs + step * 120_000 + round * 7000 + offsetMs,
          downlinkMbps: step,
          pingDrop: 0,
          latencyMs: 40,
        })),
      )
    const batches = [rowsAt(0), rowsAt(1000), rowsAt(2000)]
    const history = rowsAt(3000)
    const writesHistory = writeHistory(feeds.database, {
      feed: one,
      terminals: terminals.map(({ id, device_id }) => ({
        terminalId: id,
        samples: parseTelemetry(telemetryBody(history)).terminals.filter(({ deviceId }) => deviceId === device_id),
      })),
      isLast: true,
      fromMs,
      toMs: fromMs + BUCKET,
      stepMs: 15_000,
      samplesFromMs: fromMs,
      nowMs: startMs,
    })
    for (const rows of batches) await feeds.store(one, telemetryBody(rows))
    await Promise.all([
      feeds.applyWaiting(one),
      advanceTiers(other),
      writesHistory,
      advanceTiers(one),
      advanceTiers(other),
    ])
    reported.push(...batches.flat(), ...history)
  }
  await closeAll('alpha')
  await expectTruth('alpha', reported)
})
