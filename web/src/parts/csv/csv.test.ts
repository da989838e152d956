import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

const one = [{ header: 'Name', value: (row: unknown) => row as string }]

/** Reads a file as RFC 4180 has it. */
function read(text: string) {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (quoted && letter === '"' && text[at + 1] === '"') cell += text[++at]
    else if (letter === '"') quoted = !quoted
    else if (!quoted && (letter === ',' || letter === '\n')) {
      rows.at(-1)?.push(cell)
      cell = ''
      if (letter === '\n') rows.push([])
    } else if (quoted || letter !== '\r') cell += letter
  }
  return rows.slice(0, -1)
}

test('commas, quotes and line breaks are kept inside their cell, lines end as the standard says', () => {
  expect(csvOf(one, ['a,b', 'say "hi"', 'two\nlines', null])).toBe(
    'Name\r\n"a,b"\r\n"say ""hi"""\r\n"two\nlines"\r\n\r\n',
  )
})

test('nothing runs as a formula, and numbers stay numbers', () => {
  expect(csvOf(one, ['=1+1', '@SUM(A1)', '-149.5', '+1 907 555', -2, '-x'])).toBe(
    "Name\r\n'=1+1\r\n'@SUM(A1)\r\n-149.5\r\n'+1 907 555\r\n-2\r\n'-x\r\n",
  )
})

test('whatever a cell holds comes back as it was, but for the mark before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' })), { minLength: 1 }), (rows) => {
      const columns = [0, 1].map((at) => ({ header: `c${at}`, value: (row: string[]) => row[at] }))
      const back = read(csvOf(columns, rows)).slice(1)
      expect(back.map((cells) => cells.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, '')))).toEqual(
        rows.map((cells) => cells.map((cell) => cell.replace(/^'(?=[=+\-@\t\r])/, ''))),
      )
    }),
  )
})
