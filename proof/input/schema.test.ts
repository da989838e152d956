import { expect, test } from 'vitest'
import { fits, fitsAsText, type Schema } from './schema.ts'

const user: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 3, allOf: [{ pattern: '\\S' }] },
    age: {
      anyOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', pattern: '^\\d+$' },
      ],
    },
    tags: { type: 'array', minItems: 1, items: { type: 'string', enum: ['a', 'b'] } },
  },
  required: ['name'],
  additionalProperties: false,
}

test('accepts what the document allows', () => {
  for (const value of [{ name: 'Bob' }, { name: '🛰🛰🛰' }, { name: 'x', age: '12', tags: ['a', 'b'] }])
    expect(fits(user, value), JSON.stringify(value)).toBe(true)
})

test('rejects what the document does not allow', () => {
  const broken: unknown[] = [
    null,
    [],
    'Bob',
    {},
    { name: 'Boob' },
    { name: ' ' },
    { name: null },
    { name: 'x', other: 1 },
    { name: 'x', age: -1 },
    { name: 'x', age: 1.5 },
    { name: 'x', age: 2 ** 53 },
    { name: 'x', tags: [] },
    { name: 'x', tags: ['c'] },
    { name: 'x', toString: 1 },
  ]
  for (const value of broken) expect(fits(user, value), JSON.stringify(value)).toBe(false)
})

test('reads numbers and booleans from the text of a path', () => {
  expect(fitsAsText({ type: 'integer', maximum: 10 }, '10')).toBe(true)
  expect(fitsAsText({ type: 'integer', maximum: 10 }, '11')).toBe(false)
  expect(fitsAsText({ type: 'boolean' }, 'true')).toBe(true)
  expect(fitsAsText({ type: 'boolean' }, 'yes')).toBe(false)
})
