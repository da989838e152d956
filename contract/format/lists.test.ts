import { expect, test } from 'vitest'
import { formatList, formatSome } from './lists.ts'

test.for<[string[], string]>([
  [[], ''],
  [['Nome'], 'Nome'],
  [['Nome', 'Bethel'], 'Nome and Bethel'],
  [['Nome', 'Bethel', 'Kodiak'], 'Nome, Bethel, and Kodiak'],
])('lists %o', ([names, text]) => {
  expect(formatList(names)).toBe(text)
})

test.for<[string[], string]>([
  [[], ''],
  [['Nome', 'Bethel'], 'Nome, Bethel'],
  [['Nome', 'Bethel', 'Kodiak', 'Juneau'], 'Nome, Bethel and 2 more'],
])('lists the first two of %o', ([names, text]) => {
  expect(formatSome(names, 2)).toBe(text)
})
