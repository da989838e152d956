import { expect, test } from 'vitest'
import { isSlow, measureKbps } from './link-speed.ts'

const file = (kib: number, responseStart: number, responseEnd: number) => ({
  name: 'https://portal.example/assets/a.js',
  workerStart: 0,
  transferSize: kib * 1024,
  responseStart,
  responseEnd,
})

test('files that arrive at the same time share the link', () => {
  expect(measureKbps([file(100, 1000, 3048), file(100, 1000, 5096)])).toBeCloseTo(400)
  expect(measureKbps([file(100, 1000, 3048), file(100, 9000, 11_048)])).toBeCloseTo(400)
})

test('ignores streams, and what the service worker has served', () => {
  const others = [
    { ...file(100, 0, 60_000), name: 'https://portal.example/api/live/' },
    { ...file(100, 0, 60_000), workerStart: 1 },
  ]
  expect(measureKbps(others)).toBeUndefined()
  expect(measureKbps([...others, file(100, 0, 2048)])).toBeCloseTo(400)
})

test('knows nothing after few bytes, and nothing of files from the cache', () => {
  expect(measureKbps([])).toBeUndefined()
  expect(measureKbps([file(63, 1000, 9000)])).toBeUndefined()
  expect(measureKbps([file(0, 1000, 9000), file(63, 1000, 1001)])).toBeUndefined()
})

test('a link of 400 kbit/s is slow, one of 5 Mbit/s is not', () => {
  expect([isSlow(400), isSlow(999), isSlow(1000), isSlow(5000)]).toEqual([true, true, false, false])
})
