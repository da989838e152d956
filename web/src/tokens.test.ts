import { expect, test } from 'vitest'
import { isExpired } from './tokens.ts'

const tokenWith = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`

test('a token is expired from the second that it names', () => {
  expect(isExpired(tokenWith({ exp: 1000 }), 999)).toBe(false)
  expect(isExpired(tokenWith({ exp: 1000 }), 1000)).toBe(true)
})

test('letters outside of ASCII in a token do not matter', () => {
  expect(isExpired(tokenWith({ name: 'Ȧżůl ÿþ?>', exp: 1000 }), 2000)).toBe(true)
})

test('what cannot be read is left to the server to judge', () => {
  for (const token of ['', 'spoiled', 'a.b.c', tokenWith({}), tokenWith({ exp: 'soon' })]) {
    expect(isExpired(token, 2000)).toBe(false)
  }
})
