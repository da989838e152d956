import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRequestBudget, type RequestBudget } from './request-budget.ts'

/** A clock that only sleeping moves. */
const createClock = () => {
  let nowMs = 0
  return {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms
    },
  }
}

test('no 60 seconds see more requests than allowed, however callers come', async () => {
  const pauses = fc.array(fc.nat({ max: 20_000 }), { minLength: 1, maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(pauses, fc.integer({ min: 1, max: 12 }), async (waits, perMinute) => {
      const clock = createClock()
      const budget = createRequestBudget({ perMinute, ...clock })
      const sentMs: number[] = []
      for (const waitMs of waits) {
        await clock.sleep(waitMs)
        await budget.take()
        sentMs.push(clock.now())
      }
      for (const startMs of sentMs) {
        const within = sentMs.filter((atMs) => atMs >= startMs && atMs < startMs + 60_000)
        expect(within.length).toBeLessThanOrEqual(perMinute)
      }
    }),
    { numRuns: 30 },
  )
})

test('what is held counts from when it is sent, so no 60 seconds see more even then', async () => {
  const step = fc.record({
    waitMs: fc.nat({ max: 20_000 }),
    held: fc.nat({ max: 3 }),
    sentAfterMs: fc.nat({ max: 25_000 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 100 }), async (steps) => {
      const perMinute = 4
      const clock = createClock()
      const budget = createRequestBudget({ perMinute, ...clock })
      const sentMs: number[] = []
      const send = async (from: RequestBudget) => {
        await from.take()
        sentMs.push(clock.now())
      }
      for (const { waitMs, held, sentAfterMs } of steps) {
        await clock.sleep(waitMs)
        const share = budget.hold(held, 20_000)
        if (typeof share === 'number') expect(share).toBeGreaterThan(0)
        await clock.sleep(sentAfterMs)
        if (typeof share !== 'number') for (let sent = 0; sent < held; sent++) await send(share)
        await send(budget)
      }
      for (const startMs of sentMs)
        expect(sentMs.filter((atMs) => atMs >= startMs && atMs < startMs + 60_000).length).toBeLessThanOrEqual(
          perMinute,
        )
    }),
    { numRuns: 100 },
  )
})

test('what is held is there at once, and comes back when it is not used', async () => {
  const clock = createClock()
  const budget = createRequestBudget({ perMinute: 3, ...clock })
  const share = budget.hold(2, 20_000) as RequestBudget
  await budget.take()
  expect(budget.hold(1, 20_000)).toBe(20_000)
  await share.take()
  expect(clock.now()).toBe(0)
  await clock.sleep(20_000)
  expect(budget.hold(1, 20_000)).toHaveProperty('take')
  expect(budget.hold(1, 20_000)).toBe(20_000)
})

test('callers are served in the order they came', async () => {
  const budget = createRequestBudget({ perMinute: 2, ...createClock() })
  const served: number[] = []
  await Promise.all([0, 1, 2, 3, 4].map((caller) => budget.take().then(() => served.push(caller))))
  expect(served).toEqual([0, 1, 2, 3, 4])
})

test('a caller that gave up takes nothing and holds nobody up', async () => {
  const budget = createRequestBudget({ perMinute: 1, ...createClock() })
  await expect(budget.take(AbortSignal.abort(new Error('gave up')))).rejects.toThrow('gave up')
  await budget.take()
})

test('a caller that gives up while waiting need not wait for its turn', async () => {
  const budget = createRequestBudget({ perMinute: 1 })
  await budget.take()
  const leaving = new AbortController()
  const waiting = budget.take(leaving.signal)
  setTimeout(() => leaving.abort(), 20)
  await expect(waiting).rejects.toThrow('aborted')
})
