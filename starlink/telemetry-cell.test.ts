import { expect, test } from 'vitest'
import { readText, readTexts } from './telemetry-cell.ts'

test('texts and lists of any length are cut off', () => {
  const long = 'x'.repeat(1_000_000)
  expect(readText([long], 0)).toHaveLength(300)
  expect(readTexts([long], 0)).toEqual([long.slice(0, 300)])
  expect(readTexts([Array(1_000_000).fill('a')], 0)).toHaveLength(100)
  expect(readTexts([['a', 7, null, 'b']], 0)).toEqual(['a', 'b'])
  expect(readTexts([''], 0)).toEqual([])
})
