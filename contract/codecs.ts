import * as z from 'zod/mini'
import { formatCount } from './format/numbers.ts'
import { text } from './text.ts'

const parseJson = (value: string): unknown => {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** A value that travels as JSON text inside JSON. Nest it for text that was encoded twice. */
// @__NO_SIDE_EFFECTS__
export function jsonText<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.codec(z.string(), schema, {
    decode: (value, context) => {
      const parsed = parseJson(value)
      if (parsed !== undefined) return parsed as z.input<Schema>
      context.issues.push({ code: 'invalid_format', format: 'json', input: value, message: 'This is not JSON.' })
      return z.NEVER
    },
    encode: (value) => JSON.stringify(value),
  })
}

/** A list as JSON text. Invalid items are skipped, so that one of them does not hide the rest. */
// @__NO_SIDE_EFFECTS__
export function jsonTextList<Item extends z.ZodMiniType>(item: Item) {
  return z.codec(z.optional(z.union([z.string(), z.array(z.unknown()), z.null()])), z.array(item), {
    decode: (value) => {
      const parsed = typeof value === 'string' ? parseJson(value) : value
      const items: unknown[] = Array.isArray(parsed) ? parsed : []
      return items.filter((each): each is z.input<Item> => z.safeDecode(item, each as z.input<Item>).success)
    },
    encode: (items) => JSON.stringify(items),
  })
}

const listLike = /^\s*\[(.*)\]\s*$/s
const quoted = /'([^']*)'|"([^"]*)"|([^,\s][^,]*)/g

const splitNames = (value: string) =>
  [...value.matchAll(quoted)].map((match) => (match[1] ?? match[2] ?? match[3] ?? '').trim())

/** Clients and servers have sent '', '[]', null, JSON text of a list, "['a', 'b']", bare names and plain lists. */
const readNames = (value: string | unknown[] | null | undefined): string[] => {
  const parsed = typeof value === 'string' ? parseJson(value) : (value ?? null)
  const names: unknown[] =
    parsed === undefined ? splitNames(listLike.exec(String(value))?.[1] ?? String(value)) : [parsed].flat()
  return names.filter((name): name is string => typeof name === 'string' && name !== '')
}

/** Names of alerts: JSON text of a list on the wire. */
export const alertNames = z.codec(
  z.optional(z.union([z.string(), z.array(z.unknown()), z.null()])),
  z.array(z.string()),
  { decode: readNames, encode: (names) => JSON.stringify(names) },
)

/** JSON text of [latitude, longitude]; anything but two numbers is an unknown position. */
export const coordinates = z.codec(
  z.optional(z.union([z.string(), z.array(z.unknown()), z.null()])),
  z.nullable(z.tuple([z.number(), z.number()])),
  {
    decode: (value) => {
      const parsed = typeof value === 'string' ? parseJson(value) : value
      if (!Array.isArray(parsed) || parsed.length !== 2 || !parsed.every(Number.isFinite)) return null
      return [parsed[0], parsed[1]] as [number, number]
    },
    encode: (place) => (place ? JSON.stringify(place) : null),
  },
)

/** In responses: `true` and 'true' are true, everything else is false. */
export const looseBoolean = z.codec(z.optional(z.union([z.boolean(), z.string(), z.number(), z.null()])), z.boolean(), {
  decode: (value) => value === true || value === 'true',
  encode: (value) => value,
})

/** In responses that write booleans as 0 and 1. */
export const oneOrZero = z.codec(z.optional(z.union([z.number(), z.boolean(), z.string(), z.null()])), z.boolean(), {
  decode: (value) => value === 1 || value === true || value === '1' || value === 'true',
  encode: (value) => (value ? 1 : 0),
})

/** A number that older responses wrote as text; anything but a number is unknown. */
export const looseNumber = z.codec(z.optional(z.union([z.number(), z.string(), z.null()])), z.nullable(z.number()), {
  decode: (value) =>
    value === null || value === undefined || value === '' || !Number.isFinite(Number(value)) ? null : Number(value),
  encode: (value) => value,
})

/** In requests: only true and false, or the same as text. */
export const flag = z.codec(
  z.union([z.boolean(), z.enum(['true', 'false'])], 'Please send true or false.'),
  z.boolean(),
  {
    decode: (value) => value === true || value === 'true',
    encode: (value) => value,
  },
)

const isoMoment = z.iso.datetime({
  offset: true,
  error: 'Please give a date and a time with its zone, such as 2026-11-19T08:30:00Z.',
})

/** A moment: ISO 8601 with a zone on the wire. */
export const moment = z.codec(isoMoment, z.date(), {
  decode: (value) => new Date(value),
  encode: (value) => value.toISOString(),
})

/** A zone may move a moment out of the years that are written with four digits, so that no response could contain it. */
const isInFourDigitYears = (value: string) => {
  const year = new Date(value).getUTCFullYear()
  return year >= 1 && year <= 9999
}

/** For requests, where every value must be bounded. */
export const boundedMoment = z.codec(
  isoMoment.check(z.maxLength(40), z.refine(isInFourDigitYears, 'Please give a date from the year 1 to 9999.')),
  moment,
  {
    decode: (value) => value,
    encode: (value) => value,
  },
)

/** A moment in microseconds on the wire, in milliseconds in code. */
export const microseconds = z.codec(z.number(), z.number(), {
  decode: (us) => us / 1000,
  encode: (ms) => Math.round(ms * 1000),
})

/** A whole number from a form or a query: a number, or digits only. */
// @__NO_SIDE_EFFECTS__
export function wholeNumber(min: number, max: number) {
  const message = `Please enter a whole number from ${formatCount(min)} to ${formatCount(max)}.`
  const bounded = z.int(message).check(z.minimum(min, message), z.maximum(max, message))
  return z.codec(z.union([bounded, digits(15, message)], message), bounded, {
    decode: Number,
    encode: (value) => value,
  })
}

// @__NO_SIDE_EFFECTS__
function digits(max: number, message: string) {
  return z.string().check(z.regex(new RegExp(`^\\d{1,${max}}$`), message))
}

const invalidId = 'This is not a valid id.'

/** One of our ids: digits, as text because it may exceed the safe integers. */
export const id = z.codec(z.union([digits(18, invalidId), counting()], invalidId), digits(18, invalidId), {
  decode: String,
  encode: (value) => value,
})

// @__NO_SIDE_EFFECTS__
function counting() {
  return z.int().check(z.nonnegative())
}

/** Names in one text, separated by commas. */
// @__NO_SIDE_EFFECTS__
export function commaList(max: number) {
  return z.codec(z.nullable(text(max)), z.array(z.string().check(z.regex(/^[^,]+$/, 'A name holds no comma.'))), {
    decode: (value) =>
      (value ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    encode: (names) => names.join(','),
  })
}
