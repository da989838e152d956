import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceTiers } from './advance-tiers.ts'
import { type Row, telemetryBody } from './testing/telemetry-body.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'
import { bucketOf, type Tier, tiers } from './tiers.ts'

const HOUR = 3_600_000

let feeds: TwoFeeds
let startMs: number
beforeAll(async () => {
  feeds = await createTwoFeeds()
  startMs = feeds.nowMs.value
})
afterAll(() => feeds.close())

interface Bucket {
  device: string
  at: number
  n: number
  downlink: (number | null)[]
  latency: (number | null)[]
  told: number[] | null
  alerts: string[] | null
}

const ALERTS: Record<number, string> = { 55: 'disabled_no_active_account', 61: 'power_disconnect_detected' }

const summary = (rows: readonly Row[], measure: (row: Row) => number | null) => {
  const values = rows.map(measure).filter((value) => value !== null)
  if (values.length === 0) return [null, null, null, null]
  const sum = values.reduce((one, other) => one + other, 0)
  return [Math.min(...values), Math.max(...values), sum, measure(rows.at(-1) as Row)].map(
    (value) => value && Math.fround(value),
  )
}

/** The tier as anybody would compute it who has every sample at hand: the first row of a moment counts. */
const bruteForce = (rows: readonly Row[], { bucketMs }: Tier): Bucket[] => {
  const first = new Map<string, Row>()
  for (const row of rows) if (!first.has(`${row.device} ${row.atMs}`)) first.set(`${row.device} ${row.atMs}`, row)
  const groups = Map.groupBy(first.values(), ({ device, atMs }) => `${device} ${bucketOf(atMs, bucketMs)}`)
  const buckets = [...groups.values()].map((group): Bucket => {
    const inOrder = group.sort((one, other) => one.atMs - other.atMs)
    const told = inOrder.filter(({ latencyMs }) => latencyMs !== null).length
    const alerts = [...new Set(inOrder.flatMap((row) => row.alerts ?? []))].map((code) => ALERTS[code] as string).sort()
    const { device, atMs } = inOrder[0] as Row
    return {
      device,
      at: bucketOf(atMs, bucketMs),
      n: inOrder.length,
      downlink: summary(inOrder, (row) => Math.fround(row.downlinkMbps as number)),
      latency: summary(inOrder, (row) => (row.latencyMs == null ? null : Math.fround(row.latencyMs))),
      // The rows of these tests tell of downlink, latency and ping drop, and never of the other three.
      told: [inOrder.length, 0, told, inOrder.length, 0, 0],
      alerts: alerts.length > 0 ? alerts : null,
    }
  })
  return inKeyOrder(buckets)
}

const inKeyOrder = (buckets: Bucket[]) =>
  buckets.sort((one, other) => (one.device < other.device ? -1 : one.device > other.device ? 1 : one.at - other.at))

const stored = async (tenantId: string, tier: Tier): Promise<Bucket[]> => {
  const rows = await feeds.rows<Record<string, never>>(
    tenantId,
    `select device_id, tier.* from ${tier.name} as tier join terminals on terminals.id = terminal_id`,
  )
  const values = (row: Record<string, number | null>, name: string) =>
    ['min', 'max', 'sum', 'last'].map((part) => row[`${name}_${part}`] as number | null)
  return inKeyOrder(
    rows.map((row) => ({
      device: row.device_id as unknown as string,
      at: (row.at as unknown as Date).getTime(),
      n: row.n as unknown as number,
      downlink: values(row, 'downlink'),
      latency: values(row, 'latency'),
      told: row.told as unknown as number[] | null,
      alerts: row.alerts as unknown as string[] | null,
    })),
  )
}

const nearly = (bucket: Bucket) => ({
  ...bucket,
  downlink: bucket.downlink.map((value) => value && Number(value.toPrecision(5))),
  latency: bucket.latency.map((value) => value && Number(value.toPrecision(5))),
})

const expectTruth = async (tenantId: string, rows: readonly Row[]) => {
  for (const tier of tiers)
    expect((await stored(tenantId, tier)).map(nearly), `${tenantId} ${tier.name}`).toEqual(
      bruteForce(rows, tier).map(nearly),
    )
}

const forgetAll = async () => {
  for (const tenantId of ['alpha', 'beta'])
    for (const table of ['samples', 'tier_work', 'tier_marks', 'feed_coverage', ...tiers.map(({ name }) => name)])
      await feeds.rows(tenantId, `delete from ${table}`)
  feeds.nowMs.value = startMs
}

/** No more rows come, so what there is gets computed as it stands. */
const closeAll = async (tenantId: 'alpha' | 'beta') => {
  const feed = feeds.reopen(tenantId, feeds[tenantId].credentialId)
  feeds.nowMs.value += 4 * HOUR
  await advanceTiers(feed)
}

const row = fc.record({
  device: fc.constantFrom('one', 'two', 'three'),
  // A coarse grid, so that moments repeat and buckets fill; up to five hours back.
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

test('every tier equals a computation over all samples, however late, doubled and disordered they came', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      await forgetAll()
      let feed = feeds.reopen('alpha', feeds.alpha.credentialId)
      const told: Row[] = []
      for (const step of steps) {
        if ('rows' in step) {
          const rows = step.rows.map((each) => ({ ...each, atMs: startMs - 5 * HOUR + each.atMs }))
          const computing = step.do === 'batch' ? undefined : advanceTiers(feed)
          await feeds.receive(feed, telemetryBody(rows))
          await computing
          told.push(...rows)
        } else if (step.do === 'again') await feeds.receive(feed, telemetryBody(told.slice(-30)))
        else if (step.do === 'advance') await advanceTiers(feed)
        else feed = feeds.reopen('alpha', feed.credentialId)
      }
      await feeds.receive(feeds.reopen('beta', feeds.beta.credentialId), telemetryBody(told.slice(0, 10)))
      await closeAll('alpha')
      await closeAll('beta')
      await expectTruth('alpha', told)
      await expectTruth('beta', told.slice(0, 10))
      expect(await feeds.rows('alpha', 'select * from tier_work')).toEqual([])
    }),
    { numRuns: 12 },
  )
}, 180_000)
