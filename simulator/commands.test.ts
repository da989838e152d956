import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import { parseTelemetry } from '#starlink/telemetry.ts'
import { parseTelemetryQuery } from '#starlink/telemetry-query.ts'
import type { Line, Terminal } from './fleet.ts'
import { DEFAULT_CREDENTIAL, type Simulator, startSimulator } from './server.ts'

const MINUTE_MS = 60_000
let nowMs = Date.UTC(2026, 10, 12, 20)
let simulator: Simulator
let client: StarlinkClient
let terminal: Terminal
let line: Line

const other = { clientId: 'other', clientSecret: 'o', terminals: 3 }

beforeAll(async () => {
  simulator = await startSimulator({
    now: () => nowMs,
    accounts: [{ ...DEFAULT_CREDENTIAL, terminals: 6 }, other],
  })
  const connect = (credential: typeof DEFAULT_CREDENTIAL) =>
    createStarlinkClient({ baseUrl: simulator.url, tokenUrl: simulator.tokenUrl, ...credential })
  client = connect(DEFAULT_CREDENTIAL)
  const [first] = simulator.fleet.terminals
  if (!first?.line) throw new Error('the first terminal has a line')
  terminal = first
  line = first.line
})

afterAll(() => simulator.close())

beforeEach(async () => {
  nowMs += 10 * MINUTE_MS
  await client.streamTelemetry({ batchSize: 65_000, maxLingerMs: 0 })
})

const readFor = async (ms: number) => {
  nowMs += ms
  return parseTelemetry(await client.streamTelemetry({ batchSize: 65_000, maxLingerMs: 0 }))
}

test('a reboot causes a short gap and resets the uptime', async () => {
  const startMs = nowMs
  await client.rebootTerminal(terminal.kitSerial)
  const rows = (await readFor(5 * MINUTE_MS)).terminals.filter(({ deviceId }) => deviceId === terminal.terminalId)
  expect(Math.min(...rows.map(({ atMs }) => atMs)) - startMs).toBeGreaterThanOrEqual(90_000)
  expect(rows.every(({ atMs, uptimeS }) => (uptimeS ?? Number.NaN) <= (atMs - startMs - 90_000) / 1000)).toBe(true)
  expect(rows.length).toBeGreaterThan(10)
})

test('switching the public IP changes the line and sends a new address row', async () => {
  // Not at the five-minute mark, where a row is sent anyway.
  await readFor(2 * MINUTE_MS)
  const before = await client.getServiceLine(line.number)
  await client.setPublicIp(line.number, !before.publicIp)
  const { addresses } = await readFor(MINUTE_MS)
  const mine = addresses.filter(({ deviceId }) => deviceId === terminal.terminalId)
  expect((await client.getServiceLine(line.number)).publicIp).toBe(!before.publicIp)
  expect(mine[0]?.ipv4[0]).toMatch(before.publicIp ? /^100\./ : /^98\.97\./)
})

test('opting in and out changes the line’s product', async () => {
  const optedIn = await client.optIn(line.number)
  expect(optedIn.deactivatedDate).toBeNull()
  expect((await client.getServiceLine(line.number)).optInProductId).toBe(optedIn.productId)
  const optedOut = await client.optOut(line.number)
  expect(optedOut.deactivatedDate).not.toBeNull()
  expect((await client.getServiceLine(line.number)).optInProductId).toBeNull()
})

test('the list shows a new nickname', async () => {
  await client.setNickname(line.number, 'Nome School, north wing')
  const { items } = await client.listServiceLines()
  expect(items.find(({ serviceLineNumber }) => serviceLineNumber === line.number)?.nickname).toBe(
    'Nome School, north wing',
  )
})

test('a top-up adds a one-time block and raises the limit', async () => {
  const usage = async () => (await client.queryUsage({ serviceLineNumbers: [line.number] })).items[0]
  const before = await usage()
  await client.topUp(line.number, { productId: 'local-priority-block-50gb-usd', count: 2 })
  const after = await usage()
  const blocks = after?.billingCycles.at(-1)?.dataPoolUsage?.[0]?.dataBlocks ?? []
  expect(blocks.find(({ dataBlockType }) => dataBlockType === 'OneTimePurchase')).toMatchObject({
    totalAmountGB: 100,
    blocksCount: 2,
    totalPrice: 50,
  })
  expect(after?.servicePlan?.usageLimitGB).toBe((before?.servicePlan?.usageLimitGB ?? 0) + 100)
  expect(after?.billingCycles.at(0)?.dataPoolUsage?.[0]?.dataBlocks).toHaveLength(1)
  nowMs += 35 * 24 * 60 * MINUTE_MS
  expect((await usage())?.servicePlan?.usageLimitGB).toBe(before?.servicePlan?.usageLimitGB)
})

test('stores an assigned config', async () => {
  await client.assignConfig({ configId: 'melt-1', userTerminalIds: [terminal.terminalId] })
  const shown = await fetch(`${simulator.origin}/simulator/terminals/${terminal.terminalId}`)
  expect(await shown.json()).toMatchObject({ configId: 'melt-1' })
})

test('a terminal that is taken down stops reporting, loses its addresses and returns with a new uptime', async () => {
  const [, attu] = simulator.fleet.terminals
  if (!attu) throw new Error('no second terminal')
  const post = (action: string) =>
    fetch(`${simulator.origin}/simulator/terminals/Attu%20Station/${action}`, { method: 'POST' })
  await post('down')
  const down = await readFor(11 * MINUTE_MS)
  expect(down.terminals.filter(({ deviceId }) => deviceId === attu.terminalId)).toEqual([])
  expect(down.terminals.length).toBeGreaterThan(0)
  expect(down.addresses.filter(({ deviceId }) => deviceId === attu.terminalId)).toMatchObject([
    { ipv4: [], ipv6Ue: [], ipv6Cpe: [] },
  ])
  const newest = parseTelemetryQuery(await client.queryTelemetry()).terminals
  const silentMs = nowMs - (newest.find(({ deviceId }) => deviceId === attu.terminalId)?.atMs ?? Number.NaN)
  expect(silentMs).toBeGreaterThanOrEqual(11 * MINUTE_MS)
  expect(silentMs).toBeLessThan(12 * MINUTE_MS)
  await post('up')
  const up = await readFor(MINUTE_MS)
  const uptimes = up.terminals.filter(({ deviceId }) => deviceId === attu.terminalId).map(({ uptimeS }) => uptimeS)
  expect(uptimes).toHaveLength(4)
  expect(Math.max(...uptimes.map((uptimeS) => uptimeS ?? Number.NaN))).toBeLessThanOrEqual(60)
})

test('the newest values match the stream and do not advance the read index', async () => {
  nowMs += MINUTE_MS
  const newest = parseTelemetryQuery(await client.queryTelemetry())
  const streamed = parseTelemetry(await client.streamTelemetry({ batchSize: 65_000, maxLingerMs: 0 }))
  expect(streamed.terminals).toHaveLength(6 * 4)
  expect(newest.terminals).toHaveLength(6)
  expect(newest.skipped).toBe(0)
  const last = streamed.terminals.findLast(({ deviceId }) => deviceId === terminal.terminalId)
  const same = newest.terminals.find(({ deviceId }) => deviceId === terminal.terminalId)
  expect(same).toMatchObject({ h3Cell: last?.h3Cell, softwareVersion: last?.softwareVersion, alerts: last?.alerts })
  expect(newest.routers.map(({ routerId }) => routerId).sort()).toEqual(
    [...new Set(streamed.routers.map(({ routerId }) => routerId))].sort(),
  )
  expect(newest.addresses.every(({ ipv4 }) => ipv4.length === 1)).toBe(true)
})

test('refuses lines and terminals of another account', async () => {
  const foreign = simulator.fleet.accounts[1]?.terminals[0]
  if (!foreign?.line) throw new Error('no foreign line')
  await expect(client.getServiceLine(foreign.line.number)).rejects.toMatchObject({ status: 422 })
  await expect(client.setNickname(foreign.line.number, 'mine')).rejects.toMatchObject({ status: 422 })
  await expect(client.rebootTerminal(foreign.terminalId)).rejects.toMatchObject({ status: 422 })
  const ids = [terminal.terminalId, foreign.terminalId]
  await expect(client.assignConfig({ configId: 'x', userTerminalIds: ids })).rejects.toMatchObject({ status: 403 })
})

test('refuses invalid input with the vendor’s envelope', async () => {
  await expect(client.setNickname(line.number, '')).rejects.toMatchObject({
    status: 400,
    messages: ['The Nickname field is required.'],
  })
  await expect(
    client.topUp(line.number, { productId: 'global-priority-block-50gb-usd', count: 1 }),
  ).rejects.toMatchObject({ status: 422 })
  await expect(
    client.topUp(line.number, { productId: 'local-priority-block-50gb-usd', count: 0 }),
  ).rejects.toMatchObject({ status: 400 })
  await expect(client.getRouter('Router-000000000000000000000000')).rejects.toMatchObject({ status: 422 })
})
