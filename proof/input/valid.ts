import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from './operations.ts'
import { fits, type Schema } from './schema.ts'

/** Existing values in the stack, by the name of the parameter that takes them; ids also by the start of the path. */
export type Known = Record<string, readonly unknown[]>

/** An id that fits the call: one of another resource would not be found. */
export const selectKnown = ({ path }: Operation, known: Known): Known => ({
  ...known,
  id: known[`${path.split('/')[2]}/id`] ?? [],
})

/** The input of a call: path, query and body. */
export interface Parts {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

const SPECIALS = '@$!%*?&-_+='
const word = fc.string({ unit: fc.constantFrom(...'abcdefgxyzäġñ漢0123456789'), minLength: 1, maxLength: 12 })

const email = fc.tuple(word, word).map(([name, host]) => `${name}@${host}.example`)
const password = fc
  .tuple(fc.string({ unit: fc.constantFrom(...`abcXYZ019${SPECIALS}`), minLength: 4, maxLength: 100 }))
  .map(([rest]) => `aB1!${rest}`)
const pad = (value: number) => String(value).padStart(2, '0')
const clock = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${pad(hour)}:${pad(minute)}`)
const moment = fc
  .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const day = moment.map((text) => `20${text.slice(2, 10)}`)
const month = day.map((text) => text.slice(0, 7))
/** As long as allowed, to find operations that are slow with long text. */
const longest = (max: number) =>
  fc.constantFrom('a', 'é', '😀', 'a,b\n', 'a b ', '<').map((unit) => unit.repeat(max / unit.length))

const listTextFormats = (max: number): Arbitrary<string>[] => [
  fc.string({ unit: 'grapheme', maxLength: Math.min(max, 40) }),
  fc.string({ unit: 'binary', maxLength: Math.min(max, 40) }),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  longest(max),
  fc.nat().map(String),
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 6, maxLength: 6 }),
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 10, maxLength: 10 }),
  fc.constantFrom('(907) 555-0100', '907-555-0101'),
  fc.uuid(),
  email,
  password,
  clock,
  day,
  month,
  moment,
  fc.array(word, { maxLength: 3 }).map((parts) => `/${parts.join('/')}`),
  fc.constantFrom(
    'https://hooks.example/a',
    'https://desk.example:8443/b?c=1',
    'https://id.example',
    'http://10.0.0.1/',
  ),
  // A map view: its center and its zoom.
  fc
    .tuple(fc.nat(80), fc.nat(179), fc.nat(18))
    .map(([latitude, longitude, zoom]) => `${latitude},-${longitude},${zoom}`),
  fc.subarray(['email', 'profile', 'groups']).map((scopes) => ['openid', ...scopes].join(' ')),
]

/** Candidate values that are valid at least some of the time. */
const textFor = (schema: Schema): Arbitrary<string> => {
  const fitting = listTextFormats(schema.maxLength ?? 100).filter(
    (writing) => fc.sample(writing, { numRuns: 40, seed: 1 }).filter((text) => fits(schema, text)).length >= 4,
  )
  if (fitting.length === 0) throw new Error(`Nothing is written like ${JSON.stringify(schema)}: add a writing.`)
  return fc.oneof(...fitting).filter((text) => fits(schema, text))
}

const objectFor = ({ properties = {}, required = [] }: Schema, known: Known) =>
  fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, namedFor(name, inner, known)])),
    { requiredKeys: required },
  )

const arbitraryFor = (schema: Schema, known: Known): Arbitrary<unknown> => {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => arbitraryFor(one, known)))
  switch (schema.type) {
    case 'object':
      return objectFor(schema, known)
    case 'array':
      return fc.array(arbitraryFor(schema.items ?? {}, known), { minLength: schema.minItems ?? 0, maxLength: 8 })
    case 'string':
      return textFor(schema)
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) })
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constant(null)
  }
}

const namedFor = (name: string, schema: Schema, known: Known): Arbitrary<unknown> => {
  const values = (known[name] ?? []).filter((value) => fits(schema, value))
  const any = arbitraryFor(schema, known)
  if (values.length === 0) return any
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: any })
}

/** Requests that the document allows, often with existing values, so that some of them succeed. */
export const validParts = (operation: Operation, all: Known): Arbitrary<Parts> => {
  const { parameters, body } = operation
  const known = selectKnown(operation, all)
  const of = (place: 'path' | 'query') => {
    const here = parameters.filter((parameter) => parameter.in === place)
    return fc.record(Object.fromEntries(here.map(({ name, schema }) => [name, namedFor(name, schema, known)])), {
      requiredKeys: here.filter(({ required }) => required).map(({ name }) => name),
    })
  }
  return fc.record({
    path: of('path'),
    query: of('query'),
    body: body ? arbitraryFor(body, known) : fc.constant(undefined),
  }) as Arbitrary<Parts>
}
