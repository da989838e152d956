import { expect, test } from 'vitest'
import { formatPhone } from './phone-format.ts'

test('formats a number while it is typed', () => {
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

test('lets a number be deleted from its end', () => {
  let shown = '(907) 555-0101'
  for (let step = 0; step < 20 && shown !== ''; step++) shown = formatPhone(shown.slice(0, -1))
  expect(shown).toBe('')
})

test('drops anything but digits, and all after the tenth', () => {
  expect(formatPhone('907-555-0101')).toBe('(907) 555-0101')
  expect(formatPhone('907.555.01019999')).toBe('(907) 555-0101')
})

test('leaves digits and spaces of a number with a country code unchanged', () => {
  expect(formatPhone('+44 7911-123456')).toBe('+44 7911123456')
  expect(formatPhone('+')).toBe('+')
})
