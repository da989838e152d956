import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkFormat, findBareCounts, findOwnFormats } from './check-format.mjs'

test.for([
  "count.toLocaleString('en-US')",
  'const clock = new Intl.DateTimeFormat()',
  'new Intl.Collator(undefined, { numeric: true })',
  'share.toFixed(2)',
  'names.sort((a, b) => a.localeCompare(b))',
  "at.toISOString().slice(0, 16).replace('T', ' ')",
  'at.toDateString()',
  "'80 % of it'",
  "'80 % likely'",
])('%s is refused', (line) => expect(findOwnFormats(line)).toHaveLength(1))

test.for([
  'formatDecimal(share, 2)',
  'at.toISOString()',
  'at.toISOString().slice(0, 10)',
  'text.padEnd(index % 2)',
  '// Math.round(1.5).toFixed(1)',
  'total += index % count',
])('%s is fine', (line) => expect(findOwnFormats(line)).toEqual([]))

test.for([
  '<p>{terminals} of {observed} terminals</p>',
  '<p>{first.openCount} open</p>',
  '<p>{chosen.size} of them</p>',
  '<p>{found.length - shown.length} more</p>',
  '<b>{totalAmountGB} GB</b>',
  'cell: ({ terminals }) => terminals },',
])('the count in %s is refused', (line) => expect(findBareCounts(line)).toHaveLength(1))

test.for([
  '<p>{formatCount(terminals)} of them</p>',
  '<td colSpan={columns.length} className="a">',
  '<p>{account} is an administrator</p>',
])('%s shows no bare count', (line) => expect(findBareCounts(line)).toEqual([]))

test('names the files of the product that format, and leaves out the module and tests', async () => {
  const root = mkdtempSync(join(tmpdir(), 'check-format-'))
  const files = [
    'web/src/screens/a.tsx',
    'server/mail.ts',
    'contract/format/numbers.ts',
    'server/mail.test.ts',
    'bench/b.ts',
  ]
  for (const file of files) {
    mkdirSync(join(root, dirname(file)), { recursive: true })
    writeFileSync(join(root, file), 'export const a = 1\nexport const b = a.toFixed(2)\n')
  }
  expect(await checkFormat(root)).toEqual([
    'server/mail.ts:2: ".toFixed("; write formatDecimal',
    'web/src/screens/a.tsx:2: ".toFixed("; write formatDecimal',
  ])
  rmSync(root, { recursive: true })
})
