import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCsv, formatCsvRow } from './csv.ts'

test('quotes a cell where RFC 4180 requires it', () => {
  expect(formatCsvRow(['plain', 'a,b', 'say "hi"', 'two\nlines', null, undefined, 1.5, true])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,,1.5,true\r\n',
  )
})

test('writes numbers without the error of their sums', () => {
  expect(formatCsvRow([0.1 + 0.2, 112.82999999999998, -1.1 * 3, 1_795_000_000_123_456, 5e-7])).toBe(
    '0.3,112.83,-3.3,1795000000123456,5e-7\r\n',
  )
})

test('neutralizes formulas but not numbers', () => {
  expect(formatCsvRow(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '\ry', '+1 907 555', '-5', -5, '+1.25'])).toBe(
    `'=1+1,'+cmd,'-2+3,'@SUM(A1),"'\tx","'\ry",'+1 907 555,-5,-5,+1.25\r\n`,
  )
  expect(formatCsvRow(['\n=1+1', '＝1+1', '＋1', '－1', '＠SUM'])).toBe(`"'\n=1+1",'＝1+1,'＋1,'－1,'＠SUM\r\n`)
})

test('no cell is split where semicolons or tabs separate cells', () => {
  expect(formatCsvRow(['Nome;=1+1', 'Nome\t=1+1'])).toBe('"Nome;=1+1","Nome\t=1+1"\r\n')
})

test('writes a header row and one row for each item', () => {
  const columns = [
    { header: 'Name', value: ({ name }: { name: string }) => name },
    { header: 'Use, GB', value: ({ gb }: { gb?: number }) => gb },
  ]
  expect(formatCsv(columns, [{ name: 'Nome', gb: 2 }, { name: 'Kotzebue' }])).toBe(
    'Name,"Use, GB"\r\nNome,2\r\nKotzebue,\r\n',
  )
})

test('writes cells that another parser reads unchanged, apart from the mark before a formula', () => {
  const withoutMark = (cell: string) => cell.replace(/^'(?=[=+\-@\t\r\n＝＋－＠])/, '')
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' })), { minLength: 1 }), (rows) => {
      const columns = [0, 1].map((index) => ({ header: `c${index}`, value: (row: string[]) => row[index] }))
      const parsed: string[][] = parse(formatCsv(columns, rows), { record_delimiter: '\r\n', fromLine: 2 })
      expect(parsed.map((cells) => cells.map(withoutMark))).toEqual(rows.map((cells) => cells.map(withoutMark)))
    }),
  )
})
