import { expect, test } from 'vitest'
import { findRetiredWords } from './check-words.mjs'

test.for([
  'const house = 1',
  'isTold()',
  'const heardMs = 1',
  'let kept = 0',
  'askedWish',
  'reckoning',
  'const lineOf = (id) => id',
])('%s is refused', (line) => expect(findRetiredWords(line)).toHaveLength(1))

test.for(['list.indexOf(item)', 'typeof value', 'const partialOf = 3', 'the warehouse'])('%s is fine', (line) =>
  expect(findRetiredWords(line)).toEqual([]),
)
