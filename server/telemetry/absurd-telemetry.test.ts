import { afterAll, beforeEach, expect, test } from 'vitest'
import { advanceTiers } from './advance-tiers.ts'
import { createTwoFeeds, type TwoFeeds } from './testing/two-feeds.ts'

const S = 1_000
const HOUR = 3_600 * S
const LONG = 'x'.repeat(100_000)
/** An object that cannot be converted to text. */
const TEXTLESS = { toString: 1 }
const CELL = '855f4157fffffff'

let feeds: TwoFeeds
let t0: number
beforeEach(async () => {
  await feeds?.close()
  feeds = await createTwoFeeds()
  t0 = Math.floor((feeds.nowMs.value - 5 * HOUR) / HOUR) * HOUR
})
afterAll(() => feeds.close())

const COLUMNS = ['DeviceType', 'UtcTimestampNs', 'DeviceId', 'DownlinkThroughput', 'Uptime', 'H3CellId', 'ActiveAlerts']

type Cells = Partial<Record<'value' | 'uptime' | 'cell' | 'alerts' | 'novelty', unknown>>

/** Valid JSON. A number that JSON.stringify cannot write is given as a text that begins with `=`. */
const writeBody = (
  rows: readonly (Cells & { device: string; atMs: number })[],
  {
    columns = [...COLUMNS, 'Novelty'],
    more = {},
    names = {},
  }: { columns?: unknown; more?: object; names?: object } = {},
) => {
  const values = rows.map(({ device, atMs, value = 5, uptime = 9, cell = CELL, alerts = [], novelty = null }) =>
    JSON.stringify(['u', `=${atMs}000000`, `ut${device}`, value, uptime, cell, alerts, novelty]),
  )
  const layout = { u: columns, ...more }
  const enums = {
    DeviceType: { u: 'UserTerminal', ...names },
    AlertsByDeviceType: { u: { 61: 'low_power', ...names } },
  }
  return `{"data":{"values":[${values.join(',')}],"columnNamesByDeviceType":${JSON.stringify(layout)}},"metadata":{"enums":${JSON.stringify(enums)}}}`.replaceAll(
    /"=([^"]+)"/g,
    '$1',
  )
}

const NEWEST = `select device_id, downlink_mbps, uptime_s, h3_cell, software_version, alerts, extra from latest
  join terminals on terminals.id = terminal_id order by device_id`

const listNewest = (tenantId: string) =>
  feeds.rows<{ device_id: string; alerts: string[]; extra: object }>(tenantId, NEWEST)

const GOOD = { device_id: 'two', downlink_mbps: 5, uptime_s: 9, h3_cell: CELL, alerts: ['low_power'] }

test('alerts of any number, length and form are bounded, and shown once', async () => {
  const alerts = [
    ...[61, 61, 'dark\u0000', 'l\u202eine\n', LONG, TEXTLESS, [LONG], null, true, 1e300, '__proto__', 'constructor'],
    ...Array.from({ length: 1_000 }, (_, code) => code + 1_000),
  ]
  const names = { 1000: 'new\u0000\u001f\ud83d', 1001: LONG, 1002: TEXTLESS, 1003: '__proto__' }
  const rows = (second: number) => [
    { device: 'one', atMs: t0 + second * S, alerts },
    { device: 'two', atMs: t0 + second * S, alerts: [61] },
  ]
  await feeds.receive(feeds.alpha, writeBody([{ device: 'one', atMs: t0 }], { names }))
  for (const second of [15, 30, 45]) await feeds.receive(feeds.alpha, writeBody(rows(second), { names }))
  const [one, two] = await listNewest('alpha')
  expect(one?.alerts.slice(0, 5)).toEqual([
    'low_power',
    'unknown___proto__',
    'unknown_constructor',
    'unknown_1000',
    'unknown_1001',
  ])
  expect(one?.alerts.slice(5, 7)).toEqual(['unknown_1002', '__proto__'])
  expect(one?.alerts).toHaveLength(50)
  expect(two).toMatchObject(GOOD)
  const raised = await feeds.rows('alpha', 'select details from events')
  expect(raised).toHaveLength(50)
  expect(await listNewest('beta')).toEqual([])
})

test('implausible values are unknown, and can be added up with the others', async () => {
  const absurd = ['=3e38', '=-3e38', '=1e300', '=1e999', '=-1', LONG, TEXTLESS, ['=3e38'], '=3e38']
  const rows = absurd.map((value, index) => ({ device: 'one', atMs: t0 + index * S, value, uptime: value }))
  const good = (index: number) => ({ device: 'two', atMs: t0 + index * S, alerts: [61] })
  await feeds.receive(feeds.alpha, writeBody([...rows, good(0)]))
  await feeds.receive(feeds.alpha, writeBody([{ device: 'one', atMs: t0 + 20 * S, value: 7 }, good(20)]))
  await feeds.receive(feeds.alpha, writeBody([good(4 * 3600)]))
  // As another process, which has not seen the samples arrive.
  await advanceTiers(feeds.reopen('alpha', feeds.alpha.credentialId))
  await advanceTiers(feeds.alpha)
  for (const tier of ['tier_2min', 'tier_15min', 'tier_1h', 'tier_2h'])
    expect(
      await feeds.rows(
        'alpha',
        `select n, downlink_sum, downlink_max, downlink_last from ${tier} join terminals on terminals.id = terminal_id
         where device_id = 'one'`,
      ),
      tier,
    ).toEqual([{ n: rows.length + 1, downlink_sum: 7, downlink_max: 7, downlink_last: 7 }])
  expect(await listNewest('alpha')).toMatchObject([{ uptime_s: 9 }, GOOD])
})

test('what is no cell is no place', async () => {
  const cells = ['=600654498502803456', '=99999999999999999999', 'f'.repeat(14), 'f'.repeat(15), `1${CELL}`, '0', LONG]
  const rows = cells.map((cell, index) => ({ device: 'one', atMs: t0 + index * S, cell }))
  for (const row of rows) {
    await feeds.receive(feeds.alpha, writeBody([row, { device: 'two', atMs: row.atMs, alerts: [61] }]))
    expect(await listNewest('alpha')).toMatchObject([{ device_id: 'one', h3_cell: null }, GOOD])
  }
})

test('a cell has one name, however it is written', async () => {
  for (const [index, cell] of [CELL, `0${CELL}`, CELL.toUpperCase(), '=600654498502803455'].entries()) {
    await feeds.receive(feeds.alpha, writeBody([{ device: 'one', atMs: t0 + index * S, cell }]))
    expect(await listNewest('alpha')).toMatchObject([{ h3_cell: CELL }])
  }
  expect(await feeds.rows('alpha', 'select from track_points')).toEqual([])
})

test('a layout of any form keeps no other rows from being read', async () => {
  const novelty = [`=${'['.repeat(5_000)}${']'.repeat(5_000)}`, LONG, 'a\u0000b', ...Array(1_000).fill(7), TEXTLESS]
  const more = { r: null, i: 'text', x: [TEXTLESS], y: { length: 1 }, constructor: ['DeviceType'], __proto__: [] }
  const body = writeBody([{ device: 'two', atMs: t0, alerts: [61], novelty }], { more, names: { x: TEXTLESS } })
  const strange = '["x",1],["constructor"],["__proto__"],["r",1],["i"],[{"toString":1}],'
  await feeds.receive(feeds.alpha, body.replace('"values":[', `"values":[${strange}`))
  const [two] = await listNewest('alpha')
  expect(two).toMatchObject(GOOD)
  expect(two?.extra).toEqual({ Novelty: [null, LONG.slice(0, 300), 'ab', ...Array(97).fill(7)] })
  await feeds.receive(feeds.alpha, writeBody([{ device: 'two', atMs: t0 }], { columns: [...COLUMNS, TEXTLESS] }))
  await feeds.receive(feeds.alpha, writeBody([{ device: 'two', atMs: t0 + S, alerts: [61], novelty: TEXTLESS }]))
  expect(await listNewest('alpha')).toMatchObject([{ ...GOOD, extra: { Novelty: null } }])
})

test('the newest values are bounded like those of the stream', async () => {
  const at = new Date(t0).toISOString()
  const flags = Object.fromEntries(Array.from({ length: 1_000 }, (_, place) => [`alertNovel${place}`, true]))
  const terminal = (userTerminalId: string, more: object) => ({ userTerminalId, timestamp: at, ...more })
  const good = { downlinkThroughputMbps: 5, uptimeSeconds: 9, h3CellId: CELL, alertLowPower: true }
  const addresses = { timestamp: '-271821-04-20T00:00:00Z', ipv4: ['10.0.0.1'] }
  const content = {
    userTerminals: {
      a: terminal('one', { downlinkThroughputMbps: '=1e999', uptimeSeconds: '=-1', h3CellId: 'no place', ...flags }),
      b: terminal('two', { ...good, softwareVersion: LONG, ipAllocations: addresses }),
      c: { ...terminal('three', good), timestamp: '-271821-04-20T00:00:00Z' },
    },
    routers: { a: { routerId: 'one', timestamp: '-271821-04-20T00:00:00Z' } },
  }
  const absurd = { ...content.userTerminals.a, [`alert${LONG}`]: true, 'alertNul\u0000': true }
  content.userTerminals.a = absurd
  await feeds.receive(feeds.alpha, JSON.stringify({ content }).replaceAll(/"=([^"]+)"/g, '$1'), 'newest')
  const [one, two, ...rest] = await listNewest('alpha')
  expect(one).toMatchObject({ downlink_mbps: null, uptime_s: null, h3_cell: null })
  expect(one?.alerts).toHaveLength(50)
  expect(two).toMatchObject({ ...GOOD, software_version: LONG.slice(0, 300) })
  expect(rest).toEqual([])
  expect(await feeds.rows('alpha', 'select from latest_addresses')).toEqual([])
})

test.each([
  ['as they arrive', true],
  ['from the samples', false],
])('a terminal that reports thousands of times in a minute stops no charts, computed %s', async (_, isSame) => {
  const rows = Array.from({ length: 33_000 }, (_, index) => ({
    device: 'one',
    atMs: t0 + index,
    value: index === 0 ? null : 1,
  }))
  await feeds.receive(feeds.alpha, writeBody([...rows, { device: 'two', atMs: t0 }]))
  await feeds.receive(feeds.alpha, writeBody([{ device: 'two', atMs: t0 + 4 * HOUR }]))
  const other = feeds.reopen('alpha', feeds.alpha.credentialId)
  other.advanceWatermark(t0 + 4 * HOUR)
  await advanceTiers(isSame ? feeds.alpha : other)
  for (const tier of ['tier_2min', 'tier_15min', 'tier_1h', 'tier_2h']) {
    const sums = `select device_id, n, downlink_sum from ${tier} join terminals on terminals.id = terminal_id order by 1`
    expect(await feeds.rows('alpha', sums), tier).toEqual([
      { device_id: 'one', n: 32_767, downlink_sum: 32_999 },
      { device_id: 'two', n: 1, downlink_sum: 5 },
    ])
  }
})
