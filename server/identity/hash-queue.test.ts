import { expect, test } from 'vitest'
import { createQueue, type Lane } from './hash-queue.ts'

const BUSY = { status: 503, code: 'busy', retryAfterS: 5 }

/** A queue whose work the test completes, and a log of what has started. */
const startQueue = (limits: { maxConcurrent?: number; maxWaiting?: number } = {}) => {
  const clock = { nowMs: 0 }
  const queue = createQueue({ maxConcurrent: 2, maxWaiting: 4, ...limits, maxWaitMs: 3_000, now: () => clock.nowMs })
  const began: string[] = []
  const running: { name: string; end: () => void }[] = []
  const outcomes: Record<string, string> = {}
  /** Named by tenant, network and number, such as `a1 first`. */
  const add = (name: string, lane: Lane = 'stranger') => {
    const work = () =>
      new Promise<void>((end) => {
        began.push(name)
        running.push({ name, end })
      })
    const requester = { tenantId: name[0] as string, network: name[1] as string, lane }
    queue.run(requester, work).then(
      () => Object.assign(outcomes, { [name]: 'done' }),
      (error) => {
        expect(error).toMatchObject(BUSY)
        Object.assign(outcomes, { [name]: 'refused' })
      },
    )
  }
  const settle = () => new Promise(setImmediate)
  const end = async (name: string) => {
    const [found] = running.splice(
      running.findIndex((each) => each.name === name),
      1,
    )
    found?.end()
    await settle()
  }
  /** Completes running work, oldest first, until nothing is left. */
  const drain = async () => {
    await settle()
    while (running.length > 0) await end((running[0] as { name: string }).name)
  }
  const refused = () => Object.keys(outcomes).filter((name) => outcomes[name] === 'refused')
  return { queue, clock, add, began, end, drain, settle, refused }
}

test('takes turns between tenants, however many of one wait', async () => {
  const { add, began, drain } = startQueue({ maxConcurrent: 1, maxWaiting: 10 })
  for (const name of ['a1 1', 'a1 2', 'a1 3', 'a1 4', 'b1 1', 'b1 2', 'c1 1']) add(name)
  await drain()
  expect(began).toEqual(['a1 1', 'a1 2', 'b1 1', 'c1 1', 'a1 3', 'b1 2', 'a1 4'])
})

test('takes turns between the networks of a tenant, and known networks go first', async () => {
  const { add, began, drain } = startQueue({ maxConcurrent: 1, maxWaiting: 10 })
  for (const name of ['a1 1', 'a1 2', 'a1 3', 'a2 1']) add(name)
  add('a3 known', 'known')
  await drain()
  expect(began).toEqual(['a1 1', 'a3 known', 'a1 2', 'a2 1', 'a1 3'])
})

test('strangers of one tenant have half of the places, so that others need not wait for them', async () => {
  const { add, began, settle } = startQueue()
  for (const name of ['a1 1', 'a2 1', 'a3 1']) add(name)
  await settle()
  expect(began).toEqual(['a1 1'])
  add('b1 1')
  await settle()
  expect(began).toEqual(['a1 1', 'b1 1'])
})

test('known networks may have all places', async () => {
  const { add, began, settle } = startQueue()
  for (const name of ['a1 1', 'a2 1', 'a3 1']) add(name, 'known')
  await settle()
  expect(began).toEqual(['a1 1', 'a2 1'])
})

test('refuses the newest of the tenant that fills the queue, and nobody else', async () => {
  const { queue, add, drain, settle, refused } = startQueue({ maxWaiting: 4 })
  for (const number of [1, 2, 3, 4, 5, 6]) add(`a1 ${number}`)
  await settle()
  expect(refused()).toEqual(['a1 6'])
  add('b1 1')
  for (const number of [2, 3]) add(`b1 ${number}`)
  await drain()
  expect(refused()).toEqual(['a1 6', 'a1 5', 'a1 4'])
  expect(queue.refused.stranger).toEqual({ full: 3, late: 0 })
})

test('within a tenant, refuses the network that fills the queue, and strangers before known networks', async () => {
  const { add, settle, refused } = startQueue({ maxConcurrent: 1, maxWaiting: 3 })
  for (const name of ['a1 1', 'a1 2', 'a1 3', 'a2 1', 'a3 1']) add(name)
  await settle()
  expect(refused()).toEqual(['a1 3'])
  for (const name of ['a4 1', 'a4 2', 'a4 3']) add(name, 'known')
  await settle()
  expect(refused()).toEqual(['a1 3', 'a3 1', 'a2 1', 'a1 2'])
})

test('refuses a sign-in that has waited too long, and runs what comes after it', async () => {
  const { queue, clock, add, began, drain, refused } = startQueue({ maxConcurrent: 1 })
  for (const name of ['a1 1', 'a1 2', 'b1 1']) add(name)
  clock.nowMs = 3_001
  add('b1 2')
  await drain()
  expect(began).toEqual(['a1 1', 'b1 2'])
  expect(refused()).toEqual(['a1 2', 'b1 1'])
  expect(queue.refused.stranger).toEqual({ full: 0, late: 2 })
})

test('bulk work has half of the places and one for each tenant, and sign-ins go before it', async () => {
  const { add, began, end, settle } = startQueue({ maxConcurrent: 4 })
  for (const name of ['a1 bulk 1', 'a1 bulk 2', 'b1 bulk', 'c1 bulk']) add(name, 'bulk')
  await settle()
  expect(began).toEqual(['a1 bulk 1', 'b1 bulk'])
  for (const name of ['a1 1', 'a1 2', 'a1 3']) add(name, 'known')
  await end('b1 bulk')
  expect(began.slice(2)).toEqual(['a1 1', 'a1 2', 'a1 3'])
  await end('a1 1')
  expect(began.slice(5)).toEqual(['c1 bulk'])
})

test('bulk work that has waited long goes first, and is never refused for it', async () => {
  const { clock, add, began, drain, refused } = startQueue({ maxConcurrent: 1 })
  add('a1 1', 'known')
  add('b1 bulk', 'bulk')
  clock.nowMs = 3_001
  add('a1 2', 'known')
  await drain()
  expect(began).toEqual(['a1 1', 'b1 bulk', 'a1 2'])
  expect(refused()).toEqual([])
})

test('bulk work that fills its queue refuses no sign-in', async () => {
  const { queue, add, settle, refused } = startQueue({ maxWaiting: 2 })
  for (const number of [1, 2, 3, 4]) add(`a1 bulk ${number}`, 'bulk')
  for (const number of [1, 2, 3]) add(`a1 ${number}`)
  await settle()
  expect(refused()).toEqual(['a1 bulk 4'])
  expect([queue.countWaiting('bulk'), queue.countRunning('bulk')]).toEqual([2, 1])
  expect([queue.countWaiting('stranger'), queue.countRunning('stranger')]).toEqual([2, 1])
})

test('says before anything is counted who would be refused', async () => {
  const { queue, add, settle } = startQueue({ maxWaiting: 4 })
  const isFullFor = (tenantId: string, network: string, lane: Lane) => {
    try {
      queue.refuseIfFull({ tenantId, network, lane })
      return false
    } catch (error) {
      expect(error).toMatchObject(BUSY)
      return true
    }
  }
  for (const name of ['a1 1', 'a1 2', 'a1 3']) add(name)
  expect(isFullFor('a', '1', 'stranger')).toBe(false)
  for (const name of ['a2 1', 'a3 1']) add(name)
  await settle()
  expect(isFullFor('a', '1', 'stranger')).toBe(true)
  // An entry of the network that has two would be refused instead.
  expect(isFullFor('a', '4', 'stranger')).toBe(false)
  expect(isFullFor('a', '4', 'known')).toBe(false)
  expect(isFullFor('b', '1', 'stranger')).toBe(false)
  expect(queue.refused.stranger).toEqual({ full: 1, late: 0 })
})
