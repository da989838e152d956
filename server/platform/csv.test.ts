import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('a line is quoted where RFC 4180 asks for it', () => {
  expect(csvLine(['plain', 'a,b', 'say "hi"', 'two\nlines', null, 1.5, true])).toBe(
    'plain,"a,b","say ""hi""","two\nlines",,1.5,true\r\n',
  )
})

test('no cell is run as a formula, and numbers stay numbers', () => {
  expect(csvLine(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx', '-5', -5, '+1.25'])).toBe(
    "'=1+1,'+cmd,'-2+3,'@SUM(A1),'\tx,-5,-5,+1.25\r\n",
  )
})
