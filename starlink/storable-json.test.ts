import { expect, test } from 'vitest'
import { toStorableJson } from './storable-json.ts'

const store = (value: unknown) => JSON.parse(toStorableJson(JSON.stringify(value)))

test('what PostgreSQL does not store is removed, in names and values', () => {
  expect(store({ 'a\0b': ['x\0', '\ud800', 'y\udc00z'] })).toEqual({ ab: ['x', '\ufffd', 'y\ufffdz'] })
  expect(JSON.parse(toStorableJson('"\\uD83D\\uDE00 \\uD83D"'))).toBe('😀 \ufffd')
})

test('everything else stays, also what only looks like it', () => {
  for (const value of ['\\u0000', '\\\\u0000', '\\ud800', '😀', 'a\\', '"\\"', 'Utqiaġvik', '\u0001\n'])
    expect(store(value)).toBe(value)
})
