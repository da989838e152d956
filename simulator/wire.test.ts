import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStarlinkClient, type StarlinkClient } from '#starlink/client.ts'
import { DEFAULT_CREDENTIAL, type Simulator, startSimulator } from './server.ts'

const NOW = Date.UTC(2026, 10, 12, 20)
let simulator: Simulator
let client: StarlinkClient

beforeAll(async () => {
  simulator = await startSimulator({ terminals: 230, seed: 4, now: () => NOW })
  client = createStarlinkClient({ baseUrl: simulator.url, tokenUrl: simulator.tokenUrl, ...DEFAULT_CREDENTIAL })
})

afterAll(() => simulator.close())

test('a client reads the whole inventory over several pages, and it is consistent', async () => {
  const account = await client.getAccount()
  const lines = await client.listServiceLines()
  const terminals = await client.listUserTerminals()
  const addresses = await client.listAddresses()
  const products = await client.listProducts()
  expect(account.accountNumber).toMatch(/^ACC-/)
  expect([lines, terminals, addresses, products].every(({ complete }) => complete)).toBe(true)
  expect(terminals.items).toHaveLength(230)
  expect(lines.items).toHaveLength(230 - 1 + 4)
  const addressIds = new Set(addresses.items.map(({ addressReferenceId }) => addressReferenceId))
  const productIds = new Set(products.items.map(({ productReferenceId }) => productReferenceId))
  const lineNumbers = new Set(lines.items.map(({ serviceLineNumber }) => serviceLineNumber))
  for (const line of lines.items) {
    expect(addressIds).toContain(line.addressReferenceId)
    expect(productIds).toContain(line.productReferenceId)
    expect(line.active).toBe(line.endDate === null)
  }
  for (const { serviceLineNumber } of terminals.items) {
    if (serviceLineNumber !== null) expect(lineNumbers).toContain(serviceLineNumber)
  }
  expect(terminals.items.filter(({ serviceLineNumber }) => serviceLineNumber === null)).toHaveLength(1)
})

test('returns a router by its id', async () => {
  const terminal = simulator.fleet.terminals.find(({ routerIds }) => routerIds.length > 0)
  const routerId = terminal?.routerIds[0] ?? ''
  expect(routerId).toMatch(/^Router-[0-9A-F]{24}$/)
  expect(await client.getRouter(routerId)).toMatchObject({ routerId, userTerminalId: terminal?.terminalId })
})

test('daily usage and block usage each add up to the totals', async () => {
  const { items, complete } = await client.queryUsage({ previousBillingCycles: 2, activeServiceLinesOnly: false })
  expect(complete).toBe(true)
  expect(items).toHaveLength(233)
  for (const { billingCycles, servicePlan } of items) {
    expect(billingCycles).toHaveLength(3)
    for (const cycle of billingCycles) {
      const days = cycle.dailyDataUsage
      const sum = (of: (day: (typeof days)[number]) => number) => days.reduce((total, day) => total + of(day), 0)
      expect(sum((day) => day.priorityGB)).toBeCloseTo(cycle.totalPriorityGB, 0)
      expect(sum((day) => day.standardGB)).toBeCloseTo(cycle.totalStandardGB, 0)
      expect(days.every((day) => day.optInPriorityGB <= day.priorityGB)).toBe(true)
      expect(days.every((day) => day.date.endsWith('T00:00:00.000Z') && day.date >= cycle.startDate)).toBe(true)
      const blocks = cycle.dataPoolUsage?.flatMap(({ dataBlocks }) => dataBlocks) ?? []
      expect(blocks.every(({ consumedAmountGB, totalAmountGB }) => consumedAmountGB <= totalAmountGB)).toBe(true)
      expect(blocks.reduce((total, block) => total + block.consumedAmountGB, 0)).toBeCloseTo(cycle.totalPriorityGB, 0)
    }
    expect(servicePlan?.usageLimitGB).toBeGreaterThan(0)
  }
  const types = new Set(
    items.flatMap(({ billingCycles }) =>
      billingCycles.flatMap(
        (cycle) =>
          cycle.dataPoolUsage?.flatMap(({ dataBlocks }) => dataBlocks.map(({ dataBlockType }) => dataBlockType)) ?? [],
      ),
    ),
  )
  expect(types).toEqual(new Set(['IncludedWithBaseSubscription', 'RecurringPerBillingCycle', 'Overage']))
})

test('returns usage of the requested lines only, and of inactive ones only on request', async () => {
  const [line] = simulator.fleet.accounts[0]?.lines ?? []
  const { items } = await client.queryUsage({ serviceLineNumbers: [line?.number ?? ''] })
  expect(items.map(({ serviceLineNumber }) => serviceLineNumber)).toEqual([line?.number])
  const active = await client.queryUsage({ previousBillingCycles: 0 })
  expect(active.items.length).toBeLessThan(233)
})

test('issues no token for a wrong secret', async () => {
  const stranger = createStarlinkClient({
    baseUrl: simulator.url,
    tokenUrl: simulator.tokenUrl,
    clientId: DEFAULT_CREDENTIAL.clientId,
    clientSecret: 'guess',
  })
  await expect(stranger.getAccount()).rejects.toMatchObject({ failure: 'credentials' })
})

test('returns 401 in the vendor’s envelope without a token', async () => {
  const response = await fetch(`${simulator.url}/account`)
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ isValid: false, errors: [{ errorMessage: 'Unauthorized.' }] })
})

test.each([
  ['GET', '/service-lines?page=-1', 400],
  ['GET', '/service-lines?page=x', 400],
  ['GET', '/service-lines/%E0%A4%A', 400],
  ['POST', '/data-usage/query?limit=251', 400],
  ['GET', '/no-such-thing', 404],
  ['DELETE', '/account', 404],
])('%s %s returns %d', async (method, path, status) => {
  const form = new URLSearchParams({
    client_id: DEFAULT_CREDENTIAL.clientId,
    client_secret: DEFAULT_CREDENTIAL.clientSecret,
    grant_type: 'client_credentials',
  })
  const minted = (await (await fetch(simulator.tokenUrl, { method: 'POST', body: form })).json()) as {
    access_token: string
  }
  const headers = { authorization: `Bearer ${minted.access_token}` }
  const response = await fetch(`${simulator.url}${path}`, { method, headers })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ isValid: false })
})
