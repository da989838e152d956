import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createStarlinkClient } from '#starlink/client.ts'
import { deliverOrders } from './deliver-orders.ts'
import { type CappedPools, startCappedPools } from './testing/capped-pool.ts'

const LEASE_OVER_MS = 3 * 60_000

let stack: CappedPools
let numbers: string[]

beforeAll(async () => {
  stack = await startCappedPools()
})
afterAll(() => stack.close())

beforeEach(async () => {
  numbers = (await stack.createCappedPool()).numbers
})

const listOrders = () =>
  stack.rows('alpha', 'select service_line_id, state, problem, due_at, attempts from pool_orders order by id')

/** One turn of a worker in this process. */
const deliver = (aheadMs: number, isReady: Promise<void> = Promise.resolve()) => {
  const client = createStarlinkClient(stack.credential)
  return deliverOrders({
    database: stack.database,
    tenantId: stack.alpha.tenantId,
    clientOf: async () => {
      await isReady
      return client
    },
    now: () => new Date(Date.now() + aheadMs),
    stop: new AbortController().signal,
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
    // The request is never answered, so the worker cannot know what became of it.
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
  const stalledWorker = deliver(0, resumed.promise)
  await expect
    .poll(async () => (await listOrders()).filter(({ state }) => state === 'sending').length, { timeout: 20_000 })
    .toBe(1)
  await deliver(LEASE_OVER_MS)
  const newest = await listOrders()
  resumed.resolve()
  await stalledWorker
  stack.simulator.stopScenario('commands-dropped')
  expect(requested.sort()).toEqual([...numbers].sort())
  expect(await listOrders()).toEqual(newest)
})
