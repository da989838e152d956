import * as z from 'zod/mini'
import { Done } from '#contract/basic-bodies.ts'
import { alertNames, coordinates, id, looseBoolean, looseNumber, moment, oneOrZero } from '#contract/codecs.ts'
import { DataBlock, dataBlocks } from '#contract/data-block.ts'
import { ErrorBody } from '#contract/errors.ts'
import { TerminalConfig } from '#contract/snow-melt.ts'
import { TenantConfig } from '#contract/tenants.ts'
import { TerminalStatus } from '#contract/terminal-status.ts'
import { LiveEvent, TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'

export type JsonSchema = Record<string, unknown>

/** Schemas that several calls share, or that readers look up by name. */
const named = { Done, DataBlock, ErrorBody, LiveEvent, TenantConfig, TerminalDetailsItem, TerminalListItem }

const names = z.registry<{ id: string }>()
for (const [name, schema] of Object.entries(named)) names.add(schema, { id: name })

const jsonText = (description: string, example: string) => ({
  type: 'string',
  contentMediaType: 'application/json',
  description,
  examples: [example],
})

/** The contract parses these leniently; this is the one form in which the server writes them. */
const written = new Map<unknown, JsonSchema>([
  [alertNames, jsonText('JSON text of a list of alert names', '["power_disconnect_detected"]')],
  [coordinates, { ...jsonText('JSON text of [latitude, longitude]', '[61.2176,-149.8997]'), type: ['string', 'null'] }],
  [dataBlocks, jsonText('JSON text of a list of data blocks', '[]')],
  [TerminalConfig, jsonText('JSON text, encoded twice', '"{\\"snowMeltMode\\":\\"AUTO\\"}"')],
  [TerminalStatus, { type: 'string', enum: ['online', 'offline', 'no data'] }],
  [looseBoolean, { type: 'boolean' }],
  [looseNumber, { type: ['number', 'null'] }],
  [moment, { type: 'string', format: 'date-time' }],
  [oneOrZero, { type: 'integer', enum: [0, 1] }],
  [id, { type: 'string', pattern: '^\\d{1,18}$' }],
])

const replace = (target: JsonSchema, replacement: JsonSchema) => {
  for (const key of Object.keys(target)) delete target[key]
  Object.assign(target, replacement)
}

/** A key that is required in code is always present in responses, however leniently it would be parsed. */
const requireWrittenKeys = (schema: z.core.$ZodType, json: JsonSchema) => {
  const shape = (schema as z.core.$ZodObject)._zod.def.shape
  if (!shape) return
  const required = Object.keys(shape).filter((key) => shape[key]?._zod.optout !== 'optional')
  if (required.length > 0) json.required = required
}

const lift = (components: Record<string, JsonSchema>, converted: JsonSchema): JsonSchema => {
  const {
    $schema: _,
    $defs = {},
    ...schema
  } = JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'))
  for (const [name, { id: _id, ...definition }] of Object.entries($defs as Record<string, JsonSchema>))
    components[name] = definition
  return schema
}

const allowOuterSpace = (pattern: string) => pattern.replace(/^\^(.*)\$$/s, '^\\s*(?:$1)\\s*$')

/** Rules that apply after trimming apply to the request value apart from surrounding whitespace. */
const writeBeforeTrimming = (schema: z.core.$ZodType, json: JsonSchema) => {
  const checks = (schema._zod.def as { checks?: z.core.$ZodCheck[] }).checks ?? []
  const trimmedAt = checks.findIndex(({ _zod }) => _zod.def.check === 'overwrite')
  if (trimmedAt < 0) return
  const patterns = checks.flatMap(({ _zod }, index) => {
    const { pattern } = _zod.def as { pattern?: RegExp }
    if (!pattern) return []
    return [index < trimmedAt ? pattern.source : allowOuterSpace(pattern.source)]
  })
  delete json.pattern
  json.allOf = patterns.map((pattern) => ({ pattern }))
}

/** What a client may send. */
export const requestSchema = (components: Record<string, JsonSchema>, schema: z.core.$ZodType) =>
  lift(
    components,
    z.toJSONSchema(schema, {
      io: 'input',
      metadata: names,
      override: ({ zodSchema, jsonSchema }) => writeBeforeTrimming(zodSchema, jsonSchema as JsonSchema),
    }),
  )

/** What the server sends: the encoded side of the codecs. */
export const responseSchema = (components: Record<string, JsonSchema>, schema: z.core.$ZodType) =>
  lift(
    components,
    z.toJSONSchema(schema, {
      io: 'input',
      metadata: names,
      override: ({ zodSchema, jsonSchema }) => {
        const exact = written.get(zodSchema)
        if (exact) replace(jsonSchema, exact)
        else if (zodSchema._zod.def.type === 'object') requireWrittenKeys(zodSchema, jsonSchema)
      },
    }),
  )
