import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { importWithRetry } from './import-with-retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const failing = (times: number) => {
  let left = times
  return vi.fn(async () => {
    if (left-- > 0) throw new Error('did not arrive')
    return 'code'
  })
}

test('tries an import three times in all', async () => {
  const twice = failing(2)
  const arrived = importWithRetry(twice)
  await vi.runAllTimersAsync()
  await expect(arrived).resolves.toBe('code')
  const always = failing(9)
  const lost = expect(importWithRetry(always)).rejects.toThrow('did not arrive')
  await vi.runAllTimersAsync()
  await lost
  expect(always).toHaveBeenCalledTimes(3)
})
