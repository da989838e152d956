import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createStarlinkClient } from '#starlink/client.ts'
import { deliverOrders } from './deliver-orders.ts'
import { type CappedPools, startCappedPools } from './testing/capped-pool.ts'

const LEASE_OVER_MS = 3 * 60_000

let stack: CappedPools
let numbers: string[]
let failures: object[]

beforeAll(async () => {
  stack = await startCappedPools()
})
afterAll(() => stack.close())

beforeEach(async () => {
  failures = []
  numbers = (await stack.createCappedPool()).numbers
})

const listOrders = () =>
  stack.rows('alpha', 'select service_line_id, state, problem, due_at, attempts from pool_orders order by id')

/** One turn of a worker in this process. */
const deliver = (aheadMs: number, prepare = async () => {}) => {
  const client = createStarlinkClient(stack.credential)
  return deliverOrders({
    database: stack.database,
    tenantId: stack.alpha.tenantId,
    getClient: async () => {
      await prepare()
      return client
    },
    now: () => new Date(Date.now() + aheadMs),
    signal: new AbortController().signal,
    log: { error: (about: object) => void failures.push(about) },
  })
}

test('a worker that stalls past its lease does not overwrite what a newer one recorded', async () => {
  const stalled = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  let isFirst = true
  stack.vendor.watch.optOut = async (_, carryOut) => {
    if (!isFirst) return carryOut()
    isFirst = false
    stalled.resolve()
    // The request never gets a response, so the worker cannot know its outcome.
    await resumed.promise
  }
  const stalledWorker = deliver(0)
  await stalled.promise
  await deliver(LEASE_OVER_MS)
  await deliver(2 * LEASE_OVER_MS)
  const newest = await listOrders()
  expect(newest.map(({ state }) => state)).toEqual(numbers.map(() => 'seen'))
  resumed.resolve()
  await stalledWorker
  expect(await listOrders()).toEqual(newest)
})

test('a worker that stalls past its lease before it calls the vendor does not call it', async () => {
  stack.simulator.play('commands-dropped')
  const requested: string[] = []
  stack.vendor.watch.optOut = (line, carryOut) => {
    requested.push(line)
    return carryOut()
  }
  const resumed = Promise.withResolvers<void>()
  const stalledWorker = deliver(0, () => resumed.promise)
  await expect.poll(async () => (await listOrders()).filter(({ state }) => state === 'sending').length).toBe(1)
  await deliver(LEASE_OVER_MS)
  const newest = await listOrders()
  resumed.resolve()
  await stalledWorker
  stack.simulator.stopScenario('commands-dropped')
  expect(requested.sort()).toEqual([...numbers].sort())
  expect(await listOrders()).toEqual(newest)
})

test('an order that fails on our side is logged, the others are delivered, and it is tried again after its lease', async () => {
  let isFirst = true
  await deliver(0, async () => {
    if (!isFirst) return
    isFirst = false
    throw new Error('The credential cannot be read.')
  })
  const [failed, ...others] = await listOrders()
  expect(failed?.state).toBe('sending')
  expect(others.filter(({ state }) => state !== 'accepted' && state !== 'seen')).toEqual([])
  expect(failures).toEqual([expect.objectContaining({ tenantId: 'alpha', orderId: expect.any(Number) })])
  await deliver(LEASE_OVER_MS)
  expect((await listOrders())[0]?.state).toMatch(/accepted|seen/)
})
