import { expect, test } from 'vitest'
import { createToken } from './testing/browser.ts'
import { isExpired } from './tokens.ts'

test('expires a token in the second that it names', () => {
  expect(isExpired(createToken({ exp: 1000 }), 999)).toBe(false)
  expect(isExpired(createToken({ exp: 1000 }), 1000)).toBe(true)
})

test('reads claims with characters outside ASCII', () => {
  expect(isExpired(createToken({ name: 'Ȧżůl ÿþ?>', exp: 1000 }), 2000)).toBe(true)
})

test('leaves an unreadable token to the server', () => {
  for (const token of ['', 'spoiled', 'a.b.c', createToken({}), createToken({ exp: 'soon' })]) {
    expect(isExpired(token, 2000)).toBe(false)
  }
})
