import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { periodsMin } from '#contract/period.ts'
import { type TerminalDetail, terminalDetail } from '#contract/terminal-detail.ts'
import { type Row, telemetryBody } from '../telemetry/testing/telemetry-body.ts'
import { startTestServer, type TestServer } from '../testing/server.ts'
import { addLines } from './testing/lines.ts'

const S = 1000
const MIN = 60 * S
const HOUR = 60 * MIN

let server: TestServer
let nowMs: number
const token: Record<string, string> = {}
/** Samples of the terminal 'school' every 15 s, except for its own outage and a time when the feed reported no device. */
let school: Row[]
let outage: { fromMs: number; toMs: number }
let silence: { fromMs: number; toMs: number }

beforeAll(async () => {
  server = await startTestServer()
  nowMs = Math.floor(Date.now() / (2 * HOUR)) * 2 * HOUR + 20 * MIN
  if (nowMs > Date.now()) nowMs -= 2 * HOUR
  server.clock.now = new Date(nowMs)
  const a = await addLines(server, 'a', [
    { name: 'school', group: 'north' },
    { name: 'clinic', group: 'north' },
    { name: 'camp', group: 'south' },
  ])
  const b = await addLines(server, 'b', [{ name: 'lodge', group: 'north' }])
  outage = { fromMs: nowMs - 5 * HOUR, toMs: nowMs - 4 * HOUR }
  silence = { fromMs: nowMs - 90 * MIN, toMs: nowMs - 60 * MIN }
  const isIn = (atMs: number, span: typeof outage) => atMs >= span.fromMs && atMs < span.toMs
  school = []
  const others: Row[] = []
  for (let atMs = nowMs - 26 * HOUR; atMs <= nowMs; atMs += 15 * S) {
    if (isIn(atMs, silence)) continue
    const minute = Math.round((nowMs - atMs) / MIN)
    if (atMs % MIN === 0) others.push({ device: 'clinic', atMs })
    if (!isIn(atMs, outage))
      school.push({ device: 'school', atMs, downlinkMbps: (minute % 700) / 2, latencyMs: minute % 7 === 0 ? null : 40 })
  }
  await a.receive(
    telemetryBody([...school, ...others], {
      addresses: [{ device: 'school', atMs: nowMs - MIN, ipv4: ['100.64.0.1'] }],
      routers: [{ router: 'Router-school', atMs: nowMs - MIN, clients: 7 }],
    }),
  )
  await b.receive(telemetryBody([{ device: 'lodge', atMs: nowMs, downlinkMbps: 1 }]))
  for (const [name, user] of Object.entries({
    admin: { role: 'admin', username: 'staff' },
    north: { role: 'user', username: 'north' },
    south: { role: 'user', username: 'south' },
  } as const)) {
    await server.addUser('a', { ...user, email: `${name}@mail.example` })
    token[name] = (await server.signIn('a', `${name}@mail.example`)).access
  }
})
afterAll(() => server.close())

const request = (name: string, key: string, period: number | string) =>
  server.call('a', 'POST', `/api/terminals/${key}/${period}/`, { token: token[name] as string })

const getDetail = async (name: string, key: string, period: number): Promise<TerminalDetail> => {
  const { status, body } = await request(name, key, period)
  expect(status).toBe(200)
  return z.decode(terminalDetail.get.output, body)
}

const within = (periodMin: number, stepMs: number) =>
  school.filter(({ atMs }) => atMs >= Math.ceil((nowMs - periodMin * MIN) / stepMs) * stepMs)

test('each period has at most 1000 points, the extremes of its samples and the newest sample as the last value', async () => {
  for (const period of periodsMin) {
    const { terminal_data } = await getDetail('north', 'school', period)
    const { signals, stepS, bands, extremes } = terminal_data[0] as TerminalDetail['terminal_data'][number]
    const samples = within(period, stepS * S)
    const downlinks = samples.map(({ downlinkMbps }) => downlinkMbps as number)
    expect(signals.length, `${period}`).toBeLessThanOrEqual(1000)
    const steps = new Set(samples.map(({ atMs }) => Math.floor(atMs / (stepS * S)) * stepS * S))
    expect(signals.map(({ timestamp }) => timestamp)).toEqual([...steps])
    const newest = { last: 0, lastAt: new Date(nowMs) }
    expect(extremes.downlink).toEqual({ min: Math.min(...downlinks), max: Math.max(...downlinks), ...newest })
    // The two newest samples lack it.
    expect(extremes.latency).toEqual({ min: 40, max: 40, last: 40, lastAt: new Date(nowMs - 30 * S) })
    expect(extremes.uplink).toEqual({ min: null, max: null, last: null, lastAt: null })
    expect(bands === null).toBe(stepS === 15)
    if (bands === null) continue
    expect(Math.max(...(bands.downlink.max as number[]))).toBe(extremes.downlink.max)
    expect(bands.downlink.min).toHaveLength(signals.length)
  }
})

test('a coarse chart has a fraction of the points and keeps their extremes', async () => {
  for (const period of [180, 1440, 10_080, 43_200]) {
    const [fine] = (await getDetail('north', 'school', period)).terminal_data
    const { body } = await server.call('a', 'POST', `/api/terminals/school/${period}/`, {
      token: token.north as string,
      body: { coarse: true },
    })
    const [coarse] = z.decode(terminalDetail.get.output, body as never).terminal_data
    expect(coarse?.stepS, `${period}`).toBeGreaterThan(fine?.stepS as number)
    expect(coarse?.signals.length).toBeLessThan(fine?.signals.length as number)
    const highest = coarse?.bands?.downlink.max ?? []
    expect(Math.max(...(highest as number[]))).toBe(coarse?.extremes.downlink.max)
  }
})

test('a point of a long period is the average of the samples that have the measure', async () => {
  const { terminal_data } = await getDetail('north', 'school', 10_080)
  for (const point of terminal_data[0]?.signals ?? []) {
    const behind = school.filter(({ atMs }) => atMs >= point.timestamp && atMs < point.timestamp + 15 * MIN)
    const average = behind.reduce((sum, row) => sum + (row.downlinkMbps as number), 0) / behind.length
    expect(point.downlink).toBeCloseTo(average, 2)
    expect(point.latency).toBe(40)
  }
})

test('a silence of the whole feed is shown as unobserved, an outage of the terminal is not', async () => {
  for (const period of [180, 1440, 10_080]) {
    const { terminal_data, period: shown } = await getDetail('north', 'school', period)
    const { unobserved } = terminal_data[0] as TerminalDetail['terminal_data'][number]
    const inside = unobserved.filter(({ from }) => from > shown.from)
    expect(inside).toEqual([{ from: new Date(silence.fromMs + 15 * S), to: new Date(silence.toMs - 15 * S) }])
    expect(unobserved.some(({ from, to }) => +from < outage.toMs && +to > outage.fromMs)).toBe(false)
    // Before the first row nothing was observed.
    expect(unobserved.some(({ from }) => +from === +shown.from)).toBe(period > 26 * 60)
  }
})

test('a line is found by its nickname, kit number and service line number', async () => {
  const responses = await Promise.all(['school', 'KIT-school', 'SL-school'].map((key) => getDetail('north', key, 15)))
  for (const { service_line_data, terminal_data } of responses) {
    expect(service_line_data).toMatchObject({
      serviceLine: 'SL-school',
      nickname: 'school',
      serviceName: 'Local Priority 50GB',
      public_ip: false,
    })
    expect(terminal_data).toMatchObject([
      {
        kitnumber: 'KIT-school',
        deviceid: 'school',
        ipv4: '100.64.0.1',
        status: 'online',
        terminal_config: { snowMeltMode: 'AUTO' },
        routers: [{ router_id: 'Router-school', clients: 7 }],
      },
    ])
  }
})

test('a line of another group, of another tenant and one that does not exist get the same response', async () => {
  const responses = await Promise.all([
    request('south', 'school', 15),
    request('north', 'lodge', 15),
    request('admin', 'KIT-lodge', 15),
    request('north', 'nowhere', 15),
  ])
  for (const { status, body } of responses) {
    expect(status).toBe(403)
    expect(body).toEqual(responses[0].body)
    expect(body.message).toBe('You are not authorized to view this terminal.')
  }
  expect((await request('south', 'camp', 15)).status).toBe(200)
  expect((await request('admin', 'school', 15)).status).toBe(200)
})

test('a period other than the six is refused', async () => {
  for (const period of ['16', '0', '-15', '15.0', 'all', '0x0f']) {
    const { status, body } = await request('north', 'school', period)
    expect(status, period).toBe(400)
    expect(body.message).toContain('period')
  }
})

test('the last values stay known after the period in which they were measured', async () => {
  const before = token.north as string
  server.clock.now = new Date(nowMs + 20 * MIN)
  try {
    token.north = (await server.signIn('a', 'north@mail.example')).access
    const { terminal_data } = await getDetail('north', 'school', 15)
    expect(terminal_data).toMatchObject([{ signals: [], update_from_telemetry: new Date(nowMs) }])
    expect(terminal_data[0]?.extremes.downlink).toMatchObject({ min: null, max: null, last: 0 })
  } finally {
    server.clock.now = new Date(nowMs)
    token.north = before
  }
})

test('a terminal that never reported has empty charts', async () => {
  for (const period of periodsMin) {
    const { terminal_data } = await getDetail('south', 'camp', period)
    expect(terminal_data).toMatchObject([{ signals: [], uptime: null, status: 'no data', update_from_telemetry: null }])
    expect(terminal_data[0]?.extremes.downlink).toEqual({ min: null, max: null, last: null, lastAt: null })
  }
})

test('metadata is sent only to users who may see it', async () => {
  await server.database.transaction({ tenantId: 'a' }, (db) =>
    db.updateTable('service_lines').set({ metadata1: 'Building 7' }).where('nickname', '=', 'school').execute(),
  )
  expect((await getDetail('north', 'school', 15)).service_line_data).not.toHaveProperty('metadata1')
  expect((await getDetail('admin', 'school', 15)).service_line_data.metadata1).toBe('Building 7')
})
