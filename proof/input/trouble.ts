import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from './schema.ts'

/** Values that often break programs, whatever they expect. */
export const generateInvalid = (schema: Schema): Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), '', ' ', '\t\n', [], {}),
    fc.constantFrom<unknown>([[[[]]]], { a: { b: { c: {} } } }, ['__proto__'], Array(20_000).fill(0), [null]),
    fc.constantFrom('x\u0000y', '\u0000', '\ud800', 'a\udfffb', '__proto__', '🛰️'.repeat(400), '9'.repeat(400)),
    fc.constantFrom('1e9', '0x10', '-1', '１２', 'NaN', 'true ', "' or 1=1 --", '%00', '\u202e', '<b>', '../..'),
    fc.constant('x'.repeat((schema.maxLength ?? 200) + 1)),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.jsonValue({ maxDepth: 3 }),
  )

/** The same for a path or a query, already percent-encoded; some of it cannot be decoded. */
export const generateInvalidText = (schema: Schema): Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('%00', 'a%00b', '%ff', '%c3', '%ED%A0%80', '%', '%zz', '%20', '%2e%2e%2f', '%0d%0a', '-1', '1e9'),
    fc.constantFrom('__proto__', 'null', '[]', '{}', '9'.repeat(40), '%F0%9F%9B%B0'.repeat(60)),
    fc.constant('x'.repeat((schema.maxLength ?? 200) + 1)),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).map(encodeURIComponent),
  )

const DEEP = 20_000

/** Text that is not JSON, or JSON that no call accepts. */
export const generateInvalidJson = (whole: string): Arbitrary<string> =>
  fc.constantFrom(
    whole.slice(0, -1),
    `${whole}}`,
    `${whole.slice(0, -1)},}`,
    `${whole.slice(0, -1)}${whole.length > 2 ? ',' : ''}"__proto__":{"isAdmin":true}}`,
    `${whole.slice(0, -1)}${whole.length > 2 ? ',' : ''}"constructor":{"prototype":{"isAdmin":true}}}`,
    `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
    `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
    `[${whole}]`,
    JSON.stringify(whole),
    '[]',
    '12',
    'true',
    '"text"',
    'NaN',
    '{',
    '\u0000',
    `{"a":"${'x'.repeat(2 * 1024 * 1024)}"}`,
  )

/** A body of a content type that no call accepts. */
export const WRONG_TYPES = [
  'text/plain',
  'text/html',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/octet-stream',
  'application/jsonx',
  'nonsense',
] as const

export const WRONG_IDEMPOTENCY_KEYS = ['a b', 'x'.repeat(201), 'é'] as const

export const STRANGE_NAMES = ['nope', 'constructor', 'toString', 'hasOwnProperty', 'a.b', '0', 'id', 'admin'] as const
