import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactPartitions } from '../telemetry/compaction.ts'
import { tierColumns } from '../telemetry/measures.ts'
import { ensureTierPartitions, formatUtcDay } from '../telemetry/partitions.ts'
import { type Row, telemetryBody } from '../telemetry/testing/telemetry-body.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { addLines } from './testing/lines.ts'

const MIN = 60_000
const HOUR = 60 * MIN

let server: TestServer
let token: string
let nowMs: number
let rows: Row[]

beforeAll(async () => {
  server = await startTestServer()
  nowMs = Math.floor(Date.now() / MIN) * MIN
  server.clock.now = new Date(nowMs)
  // A kit number that a spreadsheet would evaluate as a formula.
  const a = await addLines(server, 'a', [
    { name: 'school', group: 'north' },
    { name: 'camp', group: 'south' },
  ])
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.updateTable('terminals').set({ kit_serial: '=1+1' }).where('device_id', '=', 'school').execute(),
  )
  await addLines(server, 'b', [{ name: 'lodge', group: 'north' }])
  rows = []
  for (let atMs = nowMs - 30 * HOUR; atMs <= nowMs; atMs += 15_000)
    rows.push({
      device: 'school',
      atMs,
      downlinkMbps: 2.5,
      pingDrop: 0.125,
      latencyMs: (atMs / 15_000) % 2 === 0 ? 40 : null,
    })
  await a.receive(telemetryBody(rows))
  await server.addUser('a')
  token = (await server.signIn('a')).access
})
afterAll(() => server.close())

const download = (kitnumber: string, period: number) =>
  server.call('a', 'POST', '/api/download-terminal-performance/', { token, body: { kitnumber, period } })

const splitLines = (file: string) => file.trimEnd().split('\r\n')

test('a file holds every sample of a day, in order, with units, and no formula', async () => {
  for (const [period, count] of [
    [15, 61],
    [180, 721],
    [1440, 5761],
  ] as const) {
    const { status, headers, body } = await download('school', period)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    const [head, ...lines] = splitLines(body)
    expect(head).toBe(
      'Time (UTC),Terminal,Downlink (Mbps),Uplink (Mbps),Latency (ms),Ping drop rate (%),Signal quality (%),Obstruction (%)',
    )
    expect(lines).toHaveLength(count)
    expect(new Set(lines).size).toBe(count)
    expect([...lines].sort()).toEqual(lines)
    expect(lines.at(-1)).toBe(`${new Date(nowMs).toISOString()},'=1+1,2.5,,${nowMs % 30_000 === 0 ? 40 : ''},12.5,,`)
  }
})

test('a file has the times of the tenant’s zone, with their offset', async () => {
  const setZone = (time_zone: string) =>
    server.database.transaction({ tenantId: 'a' }, (db) =>
      db.updateTable('tenant_settings').set({ time_zone }).execute(),
    )
  await setZone('Asia/Kolkata')
  const [head, ...lines] = splitLines((await download('school', 15)).body)
  expect(head).toMatch(/^Time \(Asia\/Kolkata\),/)
  const shifted = new Date(nowMs + 5.5 * HOUR).toISOString().replace('Z', '+05:30')
  expect(lines.at(-1)?.split(',')[0]).toBe(shifted)
  await setZone('UTC')
})

test('a file of a longer period holds averages, extremes and sample counts, up to now', async () => {
  const { body } = await download('school', 10_080)
  const [head, ...lines] = splitLines(body)
  expect(head?.split(',').slice(0, 5)).toEqual([
    'Time (UTC)',
    'Terminal',
    'Downlink average (Mbps)',
    'Downlink lowest (Mbps)',
    'Downlink highest (Mbps)',
  ])
  expect(head?.split(',').at(-1)).toBe('Samples')
  const cells = lines.map((line) => line.split(','))
  expect(cells.reduce((sum, row) => sum + Number(row.at(-1)), 0)).toBe(rows.length)
  for (const row of cells) expect(row.slice(2, 5)).toEqual(['2.5', '2.5', '2.5'])
  expect(new Set(cells.map(([at]) => at)).size).toBe(lines.length)
  expect(Date.parse(cells.at(-1)?.[0] as string)).toBeGreaterThan(nowMs - 4 * MIN)
})

test('a file holds the same once the older buckets are packed', async () => {
  const days = [2, 3, 4, 5].map((daysAgo) => formatUtcDay(nowMs - daysAgo * 24 * HOUR))
  await ensureTierPartitions(server.database, 'tier_2min', days)
  const columns = ['n', 'non_null_counts', ...tierColumns].join(', ')
  await server.database.transaction({ tenantId: 'a' }, (_, client) =>
    client.query(`insert into tier_2min (tenant_id, terminal_id, at, ${columns})
      select tenant_id, terminal_id, at - interval '3 days', ${columns} from tier_2min`),
  )
  const { body } = await download('school', 10_080)
  const packed: string[] = []
  for (let names = ['first']; names.length > 0; packed.push(...names))
    names = await compactPartitions(server.database, nowMs)
  expect(packed.length).toBeGreaterThan(1)
  expect((await download('school', 10_080)).body).toBe(body)
  expect(splitLines(body).length).toBeGreaterThan(2 * 30 * 29)
})

test('a file of another user’s line is refused like one of a line that does not exist', async () => {
  for (const name of ['camp', 'lodge', 'nowhere']) {
    const { status, body } = await download(name, 15)
    expect(status, name).toBe(403)
    expect(body.message).toBe('You are not authorized to view this terminal.')
  }
})
