import { afterEach, expect, test } from 'vitest'
import { createStarlinkClient } from '#starlink/client.ts'
import { parseTelemetry } from '#starlink/telemetry.ts'
import type { Scenario } from './scenarios.ts'
import { DEFAULT_CREDENTIAL, type Simulator, startSimulator } from './server.ts'

const START = Date.UTC(2026, 10, 12, 20)
const MINUTE_MS = 60_000

let simulator: Simulator | null = null
afterEach(async () => {
  await simulator?.close()
  simulator = null
})

const start = async (terminals = 9) => {
  let nowMs = START
  const running = await startSimulator({ terminals, now: () => nowMs })
  simulator = running
  const client = createStarlinkClient({
    baseUrl: running.url,
    tokenUrl: running.tokenUrl,
    ...DEFAULT_CREDENTIAL,
    now: () => nowMs,
    sleep: async () => {},
  })
  const flip = async (name: Scenario, on: boolean) => {
    const body = JSON.stringify({ name, on })
    return fetch(`${running.origin}/simulator/scenarios`, { method: 'POST', body })
  }
  return {
    running,
    client,
    flip,
    advance: (ms: number) => {
      nowMs += ms
    },
    read: async () => parseTelemetry(await client.streamTelemetry({ batchSize: 65_000, maxLingerMs: 0 })),
  }
}

test('stream-404: only the stream returns 404, and later it resumes where it stopped', async () => {
  const { client, flip, advance, read } = await start()
  await flip('stream-404', true)
  advance(MINUTE_MS)
  await expect(read()).rejects.toMatchObject({ status: 404 })
  expect((await client.getAccount()).regionCode).toBe('US')
  await flip('stream-404', false)
  expect((await read()).terminals).toHaveLength(9 * 4)
})

test('no-tokens: issues no token, and issued tokens stay valid', async () => {
  const { client, flip, advance } = await start()
  await client.getAccount()
  await flip('no-tokens', true)
  await client.getAccount()
  advance(15 * MINUTE_MS)
  await expect(client.getAccount()).rejects.toMatchObject({ failure: 'failing', fate: 'refused' })
  await flip('no-tokens', false)
  expect((await client.getAccount()).regionCode).toBe('US')
})

test('all-failing: every call fails', async () => {
  const { client, flip } = await start()
  await client.getAccount()
  await flip('all-failing', true)
  await expect(client.getAccount()).rejects.toMatchObject({ status: 500, failure: 'failing' })
  await expect(client.listProducts()).rejects.toMatchObject({ failure: 'failing' })
})

test('hanging: accepts a call, never responds and counts it', async () => {
  const { client, flip, running } = await start()
  await client.getAccount()
  await flip('hanging', true)
  const { url } = running
  const pending = fetch(`${url}/account`, { signal: AbortSignal.timeout(300) })
  await expect(pending).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(running.simulation.traffic.maxWithin(MINUTE_MS)).toBe(3)
})

test('rate-limited: every call gets 429', async () => {
  const { client, flip } = await start()
  await flip('rate-limited', true)
  await expect(client.getAccount()).rejects.toMatchObject({ status: 429, failure: 'busy' })
})

test('telemetry-late: rows arrive half an hour late and none is lost', async () => {
  const { flip, advance, read } = await start()
  await flip('telemetry-late', true)
  advance(40 * MINUTE_MS)
  const late = await read()
  expect(Math.max(...late.terminals.map(({ atMs }) => atMs))).toBeLessThanOrEqual(START + 10 * MINUTE_MS)
  await flip('telemetry-late', false)
  const rest = await read()
  expect(late.terminals.length + rest.terminals.length).toBe(9 * 40 * 4)
})

test('unstable-paging: a client that reconciles by id still finds everything', async () => {
  const { client, flip, running } = await start(260)
  await flip('unstable-paging', true)
  const { items, complete } = await client.listUserTerminals()
  expect(complete).toBe(true)
  expect(items.map(({ userTerminalId }) => userTerminalId).sort()).toEqual(
    running.fleet.terminals.map(({ terminalId }) => terminalId).sort(),
  )
  expect(running.simulation.credentials[0]?.pagesServed).toBeGreaterThan(3)
})

test('empty-lists: lists neither lines nor terminals, and telemetry continues', async () => {
  const { client, flip, advance, read } = await start()
  await flip('empty-lists', true)
  for (const list of [await client.listServiceLines(), await client.listUserTerminals()])
    expect(list).toEqual({ items: [], complete: true })
  advance(MINUTE_MS)
  expect((await read()).terminals).toHaveLength(9 * 4)
})

test('commands-dropped: accepts commands and does not execute them', async () => {
  const { client, flip, running, advance, read } = await start()
  const terminal = running.fleet.terminals[0]
  if (!terminal?.line) throw new Error('the first terminal has a line')
  await flip('commands-dropped', true)
  await client.setNickname(terminal.line.number, 'never')
  await client.rebootTerminal(terminal.terminalId)
  advance(MINUTE_MS)
  expect((await client.getServiceLine(terminal.line.number)).nickname).toBe('Nome School')
  expect((await read()).terminals.filter(({ deviceId }) => deviceId === terminal.terminalId)).toHaveLength(4)
})

test('malformed-rows: adds unreadable rows and loses no good row', async () => {
  const { flip, advance, read } = await start()
  await flip('malformed-rows', true)
  advance(5 * MINUTE_MS)
  const batch = await read()
  expect(batch.terminals).toHaveLength(9 * 20)
  expect(batch.skipped).toBeGreaterThan(10)
})

test('unknown-columns: adds a new column and device type and loses no row', async () => {
  const { flip, advance, read } = await start()
  await flip('unknown-columns', true)
  advance(MINUTE_MS)
  const batch = await read()
  expect(batch.terminals).toHaveLength(9 * 4)
  expect(batch.unknown).toMatchObject({ columns: ['u.BeamTemperature'], deviceTypes: ['UserTerminalDataUsage'] })
})

test('terminals-drop-out: about a fifth of the terminals is missing', async () => {
  const { flip, advance, read } = await start(200)
  advance(MINUTE_MS)
  const all = new Set((await read()).terminals.map(({ deviceId }) => deviceId)).size
  await flip('terminals-drop-out', true)
  advance(15_000)
  const shown = new Set((await read()).terminals.map(({ deviceId }) => deviceId)).size
  expect(shown / all).toBeGreaterThan(0.7)
  expect(shown / all).toBeLessThan(0.9)
})

test('refuses the 251st request of a minute, and accepts requests a minute later', async () => {
  const { running, advance } = await start()
  const hasty = createStarlinkClient({
    baseUrl: running.url,
    tokenUrl: running.tokenUrl,
    ...DEFAULT_CREDENTIAL,
    budget: { take: async () => {} },
  })
  for (let nth = 0; nth < 250; nth++) await hasty.getAccount()
  await expect(hasty.rebootTerminal('x')).rejects.toMatchObject({ status: 429 })
  advance(MINUTE_MS)
  await hasty.getAccount()
})

test('a token is valid for 15 minutes', async () => {
  const { running, advance } = await start()
  const form = { client_id: 'simulator', client_secret: 'simulator-secret', grant_type: 'client_credentials' }
  const minted = await fetch(running.tokenUrl, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await minted.json()) as { access_token: string }
  const ask = () => fetch(`${running.url}/account`, { headers: { authorization: `Bearer ${access_token}` } })
  advance(15 * MINUTE_MS - 1)
  expect((await ask()).status).toBe(200)
  advance(1)
  expect((await ask()).status).toBe(401)
})

test('the control page lists every scenario and refuses unknown ones', async () => {
  const { running, flip } = await start()
  await flip('stream-404', true)
  const listed = (await (await fetch(`${running.origin}/simulator/scenarios`)).json()) as {
    scenarios: { name: string; on: boolean }[]
  }
  expect(listed.scenarios.filter(({ on }) => on).map(({ name }) => name)).toEqual(['stream-404'])
  expect(listed.scenarios).toHaveLength(12)
  expect((await flip('no-such' as Scenario, true)).status).toBe(400)
})
