import { expect, test } from 'vitest'
import { createTimedCache } from './timed-cache.ts'

const START = new Date('2026-11-18T12:00:00Z')
const at = (ms: number) => new Date(START.getTime() + ms)

const createCounted = (maxEntries = 10) => {
  const cache = createTimedCache<string | undefined>({ lifetimeMs: 1_000, maxEntries })
  const worked: string[] = []
  const read = (key: string, ms: number, work = async (): Promise<string | undefined> => key) =>
    cache.get(key, at(ms), () => {
      worked.push(key)
      return work()
    })
  return { read, worked }
}

test('work is done once within the lifetime, and again after it or after the clock was set back', async () => {
  const { read, worked } = createCounted()
  expect(await Promise.all([read('a', 0), read('a', 999), read('b', 999)])).toEqual(['a', 'a', 'b'])
  expect(worked).toEqual(['a', 'b'])
  await read('a', 1_000)
  await read('a', -1)
  expect(worked).toEqual(['a', 'b', 'a', 'a'])
})

test('a failure and an undefined result are not cached', async () => {
  const { read, worked } = createCounted()
  await expect(read('a', 0, () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await read('a', 1, async () => undefined)).toBeUndefined()
  expect(await read('a', 2)).toBe('a')
  expect(await read('a', 3)).toBe('a')
  expect(worked).toEqual(['a', 'a', 'a'])
})

test('the oldest entry is evicted when there are too many', async () => {
  const { read, worked } = createCounted(2)
  for (const key of ['a', 'b', 'c', 'b', 'a']) await read(key, 0)
  expect(worked).toEqual(['a', 'b', 'c', 'a'])
})
