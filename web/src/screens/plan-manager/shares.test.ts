import { expect, it } from 'vitest'
import { describeTopLines } from './shares.ts'

const lines = (...shares: (number | null)[]) => shares.map((share, index) => ({ nickname: `Line ${index + 1}`, share }))

it('names the fewest lines that make up half', () => {
  expect(describeTopLines(lines(0.6, 0.4))).toBe('Line 1 causes 60% of it')
  expect(describeTopLines(lines(0.3, 0.25, 0.2, 0.15, 0.1))).toBe('Line 1 and Line 2 cause 55% of it')
  expect(describeTopLines(lines(0.2, 0.2, 0.2, 0.2, 0.2))).toBe('Line 1 and 2 more lines cause 60% of it')
  expect(describeTopLines(lines(null, null))).toBe('2 service lines')
})
