import { expect, test } from 'vitest'
import { findBritishSpelling, findRetiredWords } from './check-words.mjs'

test.for([
  'const house = 1',
  'isTold()',
  'const heardMs = 1',
  'let kept = 0',
  'terminals are not kept',
  'askedWish',
  'reckoning',
  'const lineOf = (id) => id',
  'const requiredOf = [',
  '  #anchorOf(id) {',
  '  const ofTenant = list()',
  '  ...{ id, name },',
  '  {...{ id, name }}',
  "  ...['id', 'name'],",
])('%s is refused', (line) => expect(findRetiredWords(line)).toHaveLength(1))

test.for([
  'list.indexOf(item)',
  'if (list.indexOf(item) > 0) {',
  'typeof value',
  'the warehouse',
  'tenants are kept apart',
  'aria-labelledby',
  'was canceled',
  'cancellation',
  'the analysis',
  '  ...rest,',
  '  ...(isOver && { endedAt }),',
  "  ...['id', 'name'].map(toColumn),",
])('%s is fine', (line) => expect(findRetiredWords(line)).toEqual([]))

test.for(['an E-mail address', 'the colour of the brand', 'was cancelled', 'normalised', 'the centre of the map'])(
  '%s is not American spelling',
  (line) => expect(findBritishSpelling(line)).toHaveLength(1),
)

test.for(['queueMail(db)', 'aria-labelledby', 'was canceled', 'a cancellation', 'the analysis', 'supervise'])(
  '%s is American spelling',
  (line) => expect(findBritishSpelling(line)).toEqual([]),
)
