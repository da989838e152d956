import { expect, test } from 'vitest'
import { cutName, findChoices } from './terminal-names.ts'

test('cuts a name after 25 letters', () => {
  expect(cutName('a'.repeat(25))).toBe('a'.repeat(25))
  expect(cutName('a'.repeat(26))).toBe(`${'a'.repeat(25)}…`)
  expect(cutName('𝒜'.repeat(26))).toBe(`${'𝒜'.repeat(25)}…`)
})

test('finds a terminal by custom name and nickname, ignoring case', () => {
  const choices = [
    { id: '1', nickname: 'NOME-1', customname: 'School' },
    { id: '2', nickname: 'JUNEAU-1', customname: null },
  ]
  expect(findChoices(choices, 'nome').map(({ id }) => id)).toEqual(['1'])
  expect(findChoices(choices, ' SCHOOL ').map(({ id }) => id)).toEqual(['1'])
  expect(findChoices(choices, '').map(({ id }) => id)).toEqual(['1', '2'])
})
