import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from './operations.ts'
import { buildPath, JSON_TYPE, toWire, type Wire } from './request.ts'
import { fits, fitsAsText, type Schema } from './schema.ts'
import {
  generateInvalid,
  generateInvalidJson,
  generateInvalidText,
  STRANGE_NAMES,
  WRONG_IDEMPOTENCY_KEYS,
  WRONG_TYPES,
} from './trouble.ts'
import type { Parts } from './valid.ts'

/** Undefined if the request is still valid. */
type Breaks = Arbitrary<Wire | undefined>

/** Every path in a body that has a value: properties, nested properties and list items. */
const placesIn = (schema: Schema, path: string[] = []): { path: string[]; schema: Schema }[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
    { path: [...path, name], schema: inner },
    ...placesIn(inner, [...path, name]),
  ]),
  ...(schema.items ? [{ path: [...path, '0'], schema: schema.items }] : []),
]

const replaceAt = (value: unknown, [name, ...rest]: string[], replacement: unknown): unknown => {
  if (name === undefined) return replacement
  if (Array.isArray(value)) return [replacement, ...value.slice(1)]
  const record = value as Record<string, unknown>
  return { ...record, [name]: replaceAt(record?.[name] ?? {}, rest, replacement) }
}

const withBody = (operation: Operation, parts: Parts, body: string, type: string, fault: string): Wire => ({
  ...toWire(operation, { ...parts, body: undefined }),
  headers: { 'content-type': type },
  body,
  fault,
})

const brokenValues = (operation: Operation, body: Schema, valid: Arbitrary<Parts>): Breaks[] =>
  placesIn(body).map(({ path, schema }) =>
    fc.tuple(valid, fc.option(generateInvalid(schema), { nil: undefined, freq: 5 })).map(([parts, value]) => {
      // As the server will parse it: JSON leaves out undefined properties.
      const text = JSON.stringify(replaceAt(parts.body, path, value))
      const fault = `${value === undefined ? 'no' : 'odd'} ${path.join('.')}`
      return fits(body, JSON.parse(text)) ? undefined : withBody(operation, parts, text, JSON_TYPE, fault)
    }),
  )

const brokenBodies = (operation: Operation, body: Schema, valid: Arbitrary<Parts>): Breaks[] => [
  ...brokenValues(operation, body, valid),
  fc.tuple(valid, fc.constantFrom(...STRANGE_NAMES), fc.jsonValue({ maxDepth: 1 })).map(([parts, name, value]) => {
    const more = JSON.stringify({ ...(parts.body as object), [name]: value })
    return withBody(operation, parts, more, JSON_TYPE, `a strange ${name}`)
  }),
  valid.chain((parts) =>
    generateInvalidJson(JSON.stringify(parts.body)).map((text) =>
      withBody(operation, parts, text, JSON_TYPE, 'odd JSON'),
    ),
  ),
  fc
    .tuple(valid, fc.constantFrom(...WRONG_TYPES))
    .map(([parts, type]) => withBody(operation, parts, JSON.stringify(parts.body), type, `sent as ${type}`)),
]

const brokenAddresses = (operation: Operation, valid: Arbitrary<Parts>): Breaks[] =>
  operation.parameters.map(({ name, in: place, schema }) =>
    fc.tuple(valid, generateInvalidText(schema)).map(([parts, text]) => {
      if (fitsEncoded(schema, text)) return undefined
      const fault = `odd ${name} in the ${place}`
      if (place === 'query') {
        const { path, ...whole } = toWire(operation, { ...parts, query: {} })
        return { ...whole, path: `${path}?${name}=${text}`, fault }
      }
      const marked = buildPath(operation, { ...parts.path, [name]: '~~' })
      return { ...toWire(operation, parts), path: marked.replace('~~', text), fault }
    }),
  )

const fitsEncoded = (schema: Schema, text: string) => {
  try {
    return fitsAsText(schema, decodeURIComponent(text))
  } catch {
    return false
  }
}

const strangeQueries = (operation: Operation, valid: Arbitrary<Parts>): Breaks =>
  fc
    .tuple(valid, fc.constantFrom(...STRANGE_NAMES, '__proto__', 'a[b]'), fc.constantFrom('1', '', '%00'))
    .map(([parts, name, value]) => {
      const { path, ...whole } = toWire(operation, parts)
      return { ...whole, path: `${path}${path.includes('?') ? '&' : '?'}${name}=${value}`, fault: `a strange ${name}` }
    })

const strangeKeys = (operation: Operation, valid: Arbitrary<Parts>): Breaks =>
  fc.tuple(valid, fc.constantFrom(...WRONG_IDEMPOTENCY_KEYS)).map(([parts, key]) => {
    const whole = toWire(operation, parts)
    return { ...whole, headers: { ...whole.headers, 'idempotency-key': key }, fault: 'odd Idempotency-Key' }
  })

/** Requests that the document does not allow, each with one fault. */
export const brokenWires = (operation: Operation, valid: Arbitrary<Parts>): Breaks =>
  fc.oneof(
    ...(operation.body ? brokenBodies(operation, operation.body, valid) : []),
    ...brokenAddresses(operation, valid),
    // A call with a body ignores the query.
    ...(operation.carriesBody ? [] : [strangeQueries(operation, valid)]),
    strangeKeys(operation, valid),
  )
