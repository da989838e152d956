import { setTimeout as sleepMs } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createStarlinkClient } from '#starlink/client.ts'
import { parseTelemetry } from '#starlink/telemetry.ts'
import { getMeasureIndex } from '#starlink/telemetry-measures.ts'
import { DEFAULT_CREDENTIAL, type Simulator, type SimulatorOptions, startSimulator } from './server.ts'

const START = Date.UTC(2026, 10, 12, 20)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let simulator: Simulator | null = null
afterEach(async () => {
  await simulator?.close()
  simulator = null
})

const start = async (options: SimulatorOptions = {}) => {
  let nowMs = START
  const running = await startSimulator({ terminals: 8, seed: 1, now: () => nowMs, ...options })
  simulator = running
  const connect = (credential = DEFAULT_CREDENTIAL) =>
    createStarlinkClient({ baseUrl: running.url, tokenUrl: running.tokenUrl, ...credential })
  const client = connect()
  return {
    running,
    client,
    connect,
    advance: (ms: number) => {
      nowMs += ms
    },
    read: async (batchSize = 65_000) => parseTelemetry(await client.streamTelemetry({ batchSize, maxLingerMs: 0 })),
  }
}

test('delivers each row once, in batches of the requested size', async () => {
  const { read, advance } = await start()
  advance(2 * MINUTE_MS)
  const whole = [await read(10), await read(10), await read()]
  const keys = whole.flatMap(({ terminals, routers }) => [
    ...terminals.map(({ deviceId, atUs }) => `${deviceId} ${atUs}`),
    ...routers.map(({ routerId, atUs }) => `${routerId} ${atUs}`),
  ])
  expect(whole.map(({ rows }) => rows).slice(0, 2)).toEqual([10, 10])
  expect(new Set(keys).size).toBe(keys.length)
  expect(whole.flatMap(({ terminals }) => terminals)).toHaveLength(8 * 8)
  expect((await read()).rows).toBe(0)
})

test('terminals and routers report every 15 seconds, addresses at least every 5 minutes', async () => {
  const { read, advance, running } = await start({ terminals: 6 })
  advance(10 * MINUTE_MS)
  const { terminals, addresses, routers, routerTimesMs } = await read()
  const [first] = running.fleet.terminals
  const times = terminals.filter(({ deviceId }) => deviceId === first?.terminalId).map(({ atMs }) => atMs)
  expect(times).toHaveLength(40)
  expect(times.slice(1).every((atMs, nth) => atMs - (times[nth] ?? 0) === 15_000)).toBe(true)
  for (const { terminalId, routerIds } of running.fleet.terminals) {
    expect(addresses.filter(({ deviceId }) => deviceId === terminalId).length).toBeGreaterThanOrEqual(2)
    expect(routers.filter(({ dishId }) => dishId === terminalId)).toHaveLength(routerIds.length)
  }
  expect(routerTimesMs).toHaveLength(40 * routers.length)
})

test('drops rows that are not fetched within 8 hours', async () => {
  const { read, advance } = await start({ terminals: 3 })
  advance(9 * HOUR_MS)
  const { terminals } = await read()
  expect(Math.min(...terminals.map(({ atMs }) => atMs))).toBeGreaterThanOrEqual(START + HOUR_MS)
  expect(Math.max(...terminals.map(({ atMs }) => atMs))).toBeGreaterThan(START + 9 * HOUR_MS - 16_000)
})

test('each credential has its own read index and sees only its own terminals', async () => {
  const north = { clientId: 'north', clientSecret: 'n', terminals: 5 }
  const south = { clientId: 'south', clientSecret: 's', terminals: 4 }
  const { connect, advance, running } = await start({ accounts: [north, south] })
  advance(MINUTE_MS)
  const readAs = async (credential: typeof north) =>
    parseTelemetry(await connect(credential).streamTelemetry({ batchSize: 65_000, maxLingerMs: 0 })).terminals
  const [northRows, southRows, rereadRows] = [await readAs(north), await readAs(south), await readAs(north)]
  const listIds = (account: number) =>
    running.fleet.terminals.filter((terminal) => terminal.account === account).map(({ terminalId }) => terminalId)
  expect(new Set(northRows.map(({ deviceId }) => deviceId))).toEqual(new Set(listIds(0)))
  expect(new Set(southRows.map(({ deviceId }) => deviceId))).toEqual(new Set(listIds(1)))
  expect(rereadRows).toEqual([])
})

test('loses no row when a client disconnects before the response', async () => {
  const { running, advance, read } = await start({ terminals: 4 })
  advance(MINUTE_MS)
  const token = await fetch(running.tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: DEFAULT_CREDENTIAL.clientId,
      client_secret: DEFAULT_CREDENTIAL.clientSecret,
      grant_type: 'client_credentials',
    }),
  })
  const { access_token } = (await token.json()) as { access_token: string }
  const leaving = new AbortController()
  const left = fetch(`${running.url}/telemetry/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}` },
    body: JSON.stringify({ batchSize: 1_000, maxLingerMs: 60_000 }),
    signal: leaving.signal,
  })
  await sleepMs(150)
  leaving.abort()
  await expect(left).rejects.toThrow()
  expect((await read()).terminals).toHaveLength(4 * 4)
})

test('returns a full batch at once, without lingering', async () => {
  const { client, advance } = await start({ terminals: 4 })
  advance(HOUR_MS)
  const full = parseTelemetry(await client.streamTelemetry({ batchSize: 50, maxLingerMs: 60_000 }))
  expect(full.rows).toBe(50)
})

test('responses vary in column order and alert codes, and parse to the same values', async () => {
  const { client, advance, running } = await start({ terminals: 6 })
  const orders = new Set<string>()
  for (let nth = 0; nth < 6; nth++) {
    advance(15_000)
    const body = await client.streamTelemetry({ batchSize: 1_000, maxLingerMs: 0 })
    orders.add(JSON.parse(body).data.columnNamesByDeviceType.u.join())
    const batch = parseTelemetry(body)
    expect(batch.unknown).toEqual({ columns: [], alerts: [], deviceTypes: [] })
    expect(batch.skipped).toBe(0)
    expect(new Set(batch.terminals.map(({ deviceId }) => deviceId))).toEqual(
      new Set(running.fleet.terminals.map(({ terminalId }) => terminalId)),
    )
    for (const { values } of batch.terminals) {
      expect(values[getMeasureIndex('latencyMs')]).toBeGreaterThan(15)
      expect(values[getMeasureIndex('signalQuality')]).toBeLessThanOrEqual(1)
    }
  }
  expect(orders.size).toBe(6)
})

test('two simulators with the same seed and clock return the same rows', async () => {
  const bodies: string[] = []
  for (let nth = 0; nth < 2; nth++) {
    const { client, advance } = await start({ terminals: 30, seed: 9 })
    advance(3 * MINUTE_MS)
    bodies.push(await client.streamTelemetry({ batchSize: 65_000, maxLingerMs: 0 }))
    await simulator?.close()
  }
  expect(bodies[0]).toBe(bodies[1])
})

test('the speed option makes simulated time run faster than the clock', async () => {
  const { advance, read } = await start({ terminals: 2, speed: 60 })
  advance(15_000)
  const { terminals } = await read()
  expect(Math.max(...terminals.map(({ atMs }) => atMs)) - START).toBeGreaterThan(14 * MINUTE_MS)
})

test.each([
  { batchSize: 0, maxLingerMs: 0 },
  { batchSize: 65_001, maxLingerMs: 0 },
  { batchSize: 10, maxLingerMs: 65_001 },
])('refuses %o as a bad request', async (bounds) => {
  const { client } = await start({ terminals: 1 })
  await expect(client.streamTelemetry(bounds)).rejects.toMatchObject({ status: 400, failure: 'rejected' })
})

test('counts the rows that a reader must have received, with and without drop-outs', async () => {
  const { running, read, advance } = await start({ terminals: 30 })
  const stream = running.simulation.credentials[0]?.stream
  const total = (counts: Map<string, number> | undefined) => [...(counts?.values() ?? [])].reduce((a, b) => a + b, 0)
  advance(10 * MINUTE_MS)
  const first = await read()
  expect(total(stream?.countTerminalRows(START + 10 * MINUTE_MS))).toBe(first.terminals.length)
  running.play('terminals-drop-out')
  advance(10 * MINUTE_MS)
  const second = await read()
  const counted = stream?.countTerminalRows(START + 20 * MINUTE_MS, { fromMs: START + 10 * MINUTE_MS, dropOuts: true })
  expect(total(counted)).toBe(second.terminals.length)
  expect(second.terminals.length).toBeLessThan(first.terminals.length)
})
