import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRequestBudget } from './request-budget.ts'

/** A clock that only sleep() advances. */
const createClock = () => {
  let nowMs = 0
  return {
    now: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms
    },
  }
}

test('never exceeds the limit in any 60 seconds, whatever the arrival times', async () => {
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

test('serves callers in order of arrival', async () => {
  const budget = createRequestBudget({ perMinute: 2, ...createClock() })
  const served: number[] = []
  await Promise.all([0, 1, 2, 3, 4].map((caller) => budget.take().then(() => served.push(caller))))
  expect(served).toEqual([0, 1, 2, 3, 4])
})

test('an aborted caller uses no budget and delays no other caller', async () => {
  const budget = createRequestBudget({ perMinute: 1, ...createClock() })
  await expect(budget.take(AbortSignal.abort(new Error('gave up')))).rejects.toThrow('gave up')
  await budget.take()
})

test('a caller that is aborted while it waits is rejected at once', async () => {
  const budget = createRequestBudget({ perMinute: 1 })
  await budget.take()
  const leaving = new AbortController()
  const waiting = budget.take(leaving.signal)
  setTimeout(() => leaving.abort(), 20)
  await expect(waiting).rejects.toThrow('aborted')
})

test('no pause is negative, even if the clock moves on between two looks at it', async () => {
  let nowMs = 0
  const pausesMs: number[] = []
  const budget = createRequestBudget({
    perMinute: 3,
    now: () => nowMs++,
    sleep: async (ms) => {
      pausesMs.push(ms)
      // Ends slightly early, as timers sometimes do.
      nowMs += Math.max(0, ms - 2)
    },
  })
  for (let request = 0; request < 50; request++) await budget.take()
  expect(pausesMs.length).toBeGreaterThan(10)
  expect(pausesMs.filter((ms) => !(ms > 0))).toEqual([])
})

test('a clock that is set back by hours does not stop requests', async () => {
  const clock = createClock()
  await clock.sleep(10 * 3_600_000)
  const budget = createRequestBudget({ perMinute: 2, ...clock })
  await budget.take()
  await budget.take()
  await clock.sleep(-5 * 3_600_000)
  const setBackMs = clock.now()
  await budget.take()
  expect(clock.now()).toBe(setBackMs)
})
