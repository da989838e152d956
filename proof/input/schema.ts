/** The subset of JSON Schema that our OpenAPI document uses. */
export interface Schema {
  type?: string
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOfType = (type: string | undefined, value: unknown) => {
  switch (type) {
    case undefined:
      return true
    case 'null':
      return value === null
    case 'integer':
      return Number.isSafeInteger(value)
    case 'number':
      return typeof value === 'number' && Number.isFinite(value)
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === type
  }
}

/** Length is counted in characters, not in UTF-16 code units. */
const drawLength = (text: string) => [...text].length

const fitsText = ({ minLength = 0, maxLength = Infinity, pattern }: Schema, value: string) =>
  drawLength(value) >= minLength && drawLength(value) <= maxLength && (!pattern || new RegExp(pattern, 'u').test(value))

const fitsNumber = ({ minimum = -Infinity, maximum = Infinity }: Schema, value: number) =>
  value >= minimum && value <= maximum

const fitsList = ({ items = {}, minItems = 0, maxItems = Infinity }: Schema, value: unknown[]) =>
  value.length >= minItems && value.length <= maxItems && value.every((item) => fits(items, item))

const fitsObject = ({ properties = {}, required = [], additionalProperties }: Schema, value: Record<string, unknown>) =>
  required.every((name) => Object.hasOwn(value, name)) &&
  Object.entries(value).every(([name, inner]) =>
    Object.hasOwn(properties, name) ? fits(properties[name] as Schema, inner) : additionalProperties !== false,
  )

export const fits = (schema: Schema, value: unknown): boolean => {
  if (!isOfType(schema.type, value)) return false
  if (schema.enum && !schema.enum.includes(value)) return false
  if (schema.anyOf && !schema.anyOf.some((one) => fits(one, value))) return false
  if (schema.allOf && !schema.allOf.every((one) => fits(one, value))) return false
  if (typeof value === 'string') return fitsText(schema, value)
  if (typeof value === 'number') return fitsNumber(schema, value)
  if (Array.isArray(value)) return fitsList(schema, value)
  return isObject(value) ? fitsObject(schema, value) : true
}

/** In a path or a query everything is text; it may also be valid as a number or a boolean. */
export const fitsAsText = (schema: Schema, text: string) =>
  fits(schema, text) ||
  (/^-?\d+(\.\d+)?$/.test(text) && fits(schema, Number(text))) ||
  ((text === 'true' || text === 'false') && fits(schema, text === 'true'))
