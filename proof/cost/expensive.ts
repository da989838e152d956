import { randomBytes } from 'node:crypto'
import { brotliCompressSync } from 'node:zlib'
import type { Operation } from '../input/operations.ts'
import { JSON_TYPE, toWire, type Wire } from '../input/request.ts'
import { fits, type Schema } from '../input/schema.ts'
import { createRandomAddress } from '../input/stack.ts'
import { type Known, type Parts, selectKnown } from '../input/valid.ts'

/** Almost as much as the server reads of a request line with its headers. */
const HEADER_BYTES = 7_000

const unitsOfText = ['漢', 'é', '"', '\\', 'a', '1', 'a b ', '<', '-', '=', '@', '.', "'", 'kit-', 'a,']

/** As long as the schema and the size of the body allow, in each notation that the schema accepts. */
const longestTexts = (schema: Schema, maxBytes: number): string[] => {
  const max = Math.min(schema.maxLength ?? 100, maxBytes)
  const repeat = (unit: string) =>
    unit.repeat(Math.min(max / unit.length, maxBytes / (Buffer.byteLength(JSON.stringify(unit)) - 2)))
  const local = 'x'.repeat(Math.max(1, max - 12))
  const candidates = [
    ...unitsOfText.map(repeat),
    `${local}@a.example`,
    `${'a.'.repeat(120)}example`,
    `a@${'b.'.repeat(100)}example`,
    `aB1!${'='.repeat(Math.max(4, max - 4))}`,
    '123456',
    '22:00',
    'America/Argentina/ComodRivadavia',
    '+19075550100',
    '2026-01-01T00:00:00.000Z',
    '9'.repeat(Math.min(max, 15)),
  ]
  return candidates.filter((text) => fits(schema, text))
}

/** One valid value, as large and as slow to parse as the schema and the size of the body allow. */
const largest = (name: string, schema: Schema, known: Known, maxBytes: number): unknown => {
  const existing = (known[name] ?? []).find((value) => fits(schema, value))
  if (schema.enum) return schema.enum.at(-1)
  if (schema.anyOf) {
    const values = schema.anyOf.map((one) => largest(name, one, known, maxBytes)).filter((value) => value !== undefined)
    return values.sort((one, other) => JSON.stringify(other).length - JSON.stringify(one).length)[0]
  }
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([inner, value]) => [
          inner,
          largest(inner, value, known, maxBytes),
        ]),
      )
    case 'array': {
      const item = largest(name, schema.items ?? {}, known, maxBytes)
      const bytes = Buffer.byteLength(JSON.stringify(item) ?? '') + 1
      return Array(Math.min(schema.maxItems ?? 1_000, Math.floor(maxBytes / bytes))).fill(item)
    }
    case 'string':
      return (
        longestTexts(schema, maxBytes).sort((one, other) => Buffer.byteLength(other) - Buffer.byteLength(one))[0] ??
        existing
      )
    case 'integer':
    case 'number':
      return schema.maximum ?? existing ?? 1
    case 'boolean':
      return true
    default:
      return null
  }
}

const largestParts = (operation: Operation, all: Known, maxBytes: number): Parts => {
  const { parameters, body } = operation
  const known = selectKnown(operation, all)
  const take = (place: 'path' | 'query') =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, schema }) => [
          name,
          // A path of an existing resource gets further than a long one that does not exist.
          (place === 'path' && known[name]?.[0]) || largest(name, schema, known, maxBytes),
        ]),
    )
  return { path: take('path'), query: take('query'), body: body && largest('', body, known, maxBytes) }
}

const DEPTH = 8_000

const nameMany = (prefix: string, count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"${prefix}${at}":0`).join(',')}}`

/** Requests that no schema allows, but that cost something until they are rejected. */
const hostileBodies = (bytes: number): [name: string, body: string | Buffer, headers?: Record<string, string>][] => [
  ['nested lists', `{"a":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`],
  ['many numbers as names', nameMany('', bytes / 10)],
  ['many names', nameMany('k', bytes / 12)],
  ['as many names as visitors may send', nameMany('k', 300)],
  ['names of prototypes', `{${'"__proto__":{},'.repeat(bytes / 16)}"a":0}`],
  ['escapes', `{"email":"${'\\u00e9'.repeat(bytes / 7)}"}`],
  ['a compressed megabyte', brotliCompressSync(Buffer.alloc(1024 * 1024, ' ')), { 'content-encoding': 'br' }],
]

/** Content for the headers and the query of any request. */
const hostileHeaders = (): [name: string, headers: Record<string, string>, query?: string][] => [
  ['many tags', { 'if-none-match': 'W/"a",'.repeat(HEADER_BYTES / 6) }],
  ['many encodings', { 'accept-encoding': 'br;q=0.1,'.repeat(HEADER_BYTES / 9) }],
  ['many ranges', { range: `bytes=${'0-0,'.repeat(HEADER_BYTES / 4)}1-1` }],
  ['a long token', { authorization: `Bearer ${randomBytes((HEADER_BYTES * 3) / 4).toString('base64url')}` }],
  ['a token of three parts', { authorization: `Bearer eyJhbGciOiJIUzI1NiJ9.${'e30'.repeat(HEADER_BYTES / 4)}.e30` }],
  // A client may send any list; the proxy appends the client's own address.
  [
    'many forwarded addresses',
    { 'x-forwarded-for': `${'127.0.0.1,'.repeat(HEADER_BYTES / 10)}${createRandomAddress()}` },
  ],
  ['many cookies', { cookie: 'a=b;'.repeat(HEADER_BYTES / 4) }],
  ['many query parameters', {}, Array.from({ length: HEADER_BYTES / 6 }, (_, at) => `${at}=0`).join('&')],
  ['encoded query', {}, `a=${'%41'.repeat(HEADER_BYTES / 3)}`],
  ['compressed answer', { 'accept-encoding': 'br' }],
  ['gzip answer', { 'accept-encoding': 'gzip' }],
]

export interface Request extends Omit<Wire, 'body'> {
  /** What makes it expensive. */
  variant: string
  body: string | Buffer | undefined
}

const withQuery = (path: string, query: string | undefined) =>
  query ? `${path}${path.includes('?') ? '&' : '?'}${query}`.slice(0, HEADER_BYTES) : path

/** A page or a file: only headers and the query can be varied. */
export const expensiveReads = (path: string): Request[] =>
  hostileHeaders().map(([variant, headers, query]) => ({
    variant,
    method: 'GET',
    path: withQuery(path, query),
    headers,
    body: undefined,
  }))

/** The largest input that the contract allows, and hostile ones. */
export const expensiveCalls = (operation: Operation, known: Known, maxBodyBytes: number): Request[] => {
  const valid = toWire(operation, largestParts(operation, known, maxBodyBytes * 0.9))
  const { method, path } = valid
  // Together with a long query, the headers would exceed the server's limit.
  const bare = path.split('?', 1)[0] as string
  const headers = { 'content-type': JSON_TYPE }
  const bodies = operation.carriesBody
    ? hostileBodies(maxBodyBytes - 64).map(([variant, body, more]) => ({
        variant,
        method,
        path,
        body,
        headers: { ...headers, ...more },
      }))
    : []
  return [
    { ...valid, variant: 'largest valid input' },
    ...bodies,
    ...hostileHeaders().map(([variant, more, query]) => ({
      variant,
      method,
      path: withQuery(bare, query),
      headers: { ...valid.headers, ...more },
      body: valid.body,
    })),
  ]
}
