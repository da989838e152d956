import { expect, test } from 'vitest'
import { formatPhone } from './phone-format.ts'

test('a number takes its form while it is typed', () => {
  let shown = ''
  const typed = [...'9075550101'].map((key) => {
    shown = formatPhone(shown + key)
    return shown
  })
  expect(typed).toEqual([
    '9',
    '90',
    '907',
    '(907) 5',
    '(907) 55',
    '(907) 555',
    '(907) 555-0',
    '(907) 555-01',
    '(907) 555-010',
    '(907) 555-0101',
  ])
})

test('a number that is deleted from its end shrinks to nothing', () => {
  let shown = '(907) 555-0101'
  for (let step = 0; step < 20 && shown !== ''; step++) shown = formatPhone(shown.slice(0, -1))
  expect(shown).toBe('')
})

test('what is no digit is left out, and ten digits are enough', () => {
  expect(formatPhone('907-555-0101')).toBe('(907) 555-0101')
  expect(formatPhone('907.555.01019999')).toBe('(907) 555-0101')
})

test('a number with a country code keeps its digits and spaces', () => {
  expect(formatPhone('+44 7911-123456')).toBe('+44 7911123456')
  expect(formatPhone('+')).toBe('+')
})
