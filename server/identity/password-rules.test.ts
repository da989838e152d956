import { expect, test } from 'vitest'
import { loadCommonPasswordCheck } from './password-rules.ts'

test.each([
  ['P@ssw0rd', true],
  ['Password1!', true],
  ['Password-2026', true],
  ['Welcome1!', true],
  ['Qwerty123!', true],
  ['!1Dragon', true],
  ['M0nkey99$', true],
  ['Right-pass-1', false],
  ['Tr0ub4dor&3', false],
  ['correct-Horse-7', false],
  // The common word makes up less than half of it.
  ['Love-83920174', false],
])('%s is common: %s', async (password, expected) => {
  const isCommon = await loadCommonPasswordCheck()
  expect(isCommon(password)).toBe(expected)
})
