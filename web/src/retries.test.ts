import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#contract/errors.ts'
import { identity } from '#contract/identity.ts'
import { call } from './api.ts'
import { getRetryDelayMs, isServerBusy, shouldRetry } from './retries.ts'
import { setUpBrowser } from './testing/browser.ts'

const browser = setUpBrowser()
const user = {
  customerName: 'Ada',
  email: 'ada@example.com',
  role: 'user' as const,
  newUser: false,
  mustAddFactor: false,
}
const busy = new ApiError(503, 'busy', 'The service is busy.', 2)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a read repeats itself for as long as the server is busy, and never sooner than asked', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: getRetryDelayMs } } })
  const sentAtMs: number[] = []
  browser.respondWith(() => {
    sentAtMs.push(Date.now())
    if (sentAtMs.length > 6) return Response.json(user)
    return Response.json(busy.body, { status: 503, headers: { 'retry-after': '2' } })
  })
  const observer = new QueryObserver(queries, { queryKey: ['user'], queryFn: () => call(identity.verifyToken, {}) })
  const stop = observer.subscribe(() => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(isServerBusy(queries)).toBe(true)
  expect(sentAtMs).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(observer.getCurrentResult().data).toEqual(user)
  expect(isServerBusy(queries)).toBe(false)
  const pausesMs = sentAtMs.slice(1).map((ms, index) => ms - (sentAtMs[index] as number))
  for (const pauseMs of pausesMs) expect(pauseMs).toBeGreaterThanOrEqual(2_000)
  stop()
})

test('is refused for good after a few tries, or at once when the wait is long or would not help', () => {
  const unavailable = new ApiError(503, 'unavailable', 'Not available.', 2)
  expect([0, 2, 3].map((failures) => shouldRetry(failures, unavailable))).toEqual([true, true, false])
  expect(shouldRetry(0, new ApiError(429, 'too_many', 'Wait.', 3600))).toBe(false)
  expect(shouldRetry(0, new ApiError(404, 'not_found', 'None.'))).toBe(false)
  expect(shouldRetry(100, busy)).toBe(true)
})
