import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBatchedRead } from './batched-read.ts'
import type { Database } from './database.ts'

/** Used only as an identity, to tell databases apart. */
const database = {} as Database

/** Reads that the test completes, and a log of the reads that have started. */
const startReads = () => {
  const began: string[] = []
  const running: { resolve: () => void; reject: (error: Error) => void }[] = []
  const readBatched = createBatchedRead<string, string>(async (_database, key, items) => {
    began.push(`${key}: ${items.join(' ')}`)
    await new Promise<void>((resolve, reject) => running.push({ resolve, reject }))
    return items.map((item) => `${item} of ${key}`)
  })
  const read = (key: string, item: string) => readBatched(database, key, item)
  const end = async (error?: Error) => {
    const first = running.shift()
    if (error) first?.reject(error)
    else first?.resolve()
    await nextTurn()
  }
  return { read, began, end }
}

test('one read serves all requests that arrive while another runs, and begins after them', async () => {
  const { read, began, end } = startReads()
  const results = ['1', '2', '3'].map((item) => read('a', item))
  expect(began).toEqual(['a: 1'])
  await end()
  expect(began).toEqual(['a: 1', 'a: 2 3'])
  await end()
  expect(await Promise.all(results)).toEqual(['1 of a', '2 of a', '3 of a'])
})

test('a key with many who wait does not delay another', async () => {
  const { read, began, end } = startReads()
  const many = Array.from({ length: 100 }, (_, index) => read('a', String(index)))
  const single = read('b', 'single')
  expect(began).toEqual(['a: 0', 'b: single'])
  await end()
  await end()
  expect(await single).toBe('single of b')
  await end()
  expect(await Promise.all(many)).toHaveLength(100)
})

test('a read that fails fails for those it was for, and the next ones read again', async () => {
  const { read, end } = startReads()
  const failing = read('a', '1')
  const next = read('a', '2')
  const failed = expect(failing).rejects.toThrow('lost')
  await end(new Error('lost'))
  await failed
  await end()
  expect(await next).toBe('2 of a')
  const later = read('a', '3')
  await end()
  expect(await later).toBe('3 of a')
})
