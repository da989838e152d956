import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { api } from '#contract/api.ts'
import { Email } from '#contract/credentials.ts'
import { carriesBody, pathNames, type Route, type RouteTable, route } from '#contract/route.ts'
import { lineText } from '#contract/service-lines.ts'
import { requiredLine } from '#contract/text.ts'
import { openApiDocument } from './openapi.ts'

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: Record<string, unknown>
}

interface Operation {
  operationId: string
  security: unknown[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: { 'application/json': { schema: { properties: object; required: string[] } } } }
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>
}

interface Patterns {
  allOf?: { pattern: string }[]
}

type Document = { paths: Record<string, Record<string, Operation>> }

const buildDocument = (table: Record<string, RouteTable>) =>
  // The document as a client receives it, without what JSON drops.
  JSON.parse(JSON.stringify(openApiDocument(table))) as Document
const document = buildDocument(api)

const routes = Object.entries(api as Record<string, RouteTable>).flatMap(([table, entries]) =>
  Object.entries(entries).map(([name, entry]): [string, Route] => [`${table}.${name}`, entry]),
)

const getOperation = ({ method, path }: Route, { paths } = document) =>
  paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

const collectRefs = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return []
  const own = '$ref' in value && typeof value.$ref === 'string' ? [value.$ref] : []
  return [...own, ...Object.values(value).flatMap(collectRefs)]
}

const resolve = (ref: string) =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document)

describe('the OpenAPI document', () => {
  it('points at nothing that is not in it, and not at itself', () => {
    const refs = [...new Set(collectRefs(document))]
    expect(refs).toContain('#/components/schemas/TerminalListItem')
    for (const ref of refs) {
      expect(ref).toMatch(/^#\/components\//)
      expect(resolve(ref), ref).toBeTypeOf('object')
      expect(resolve(ref), ref).not.toHaveProperty('$ref')
    }
  })

  it('has no more calls than the table, and no two of one name', () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    expect(operations).toHaveLength(routes.length)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(routes.length)
  })

  it('holds no trace of the tool that made it', () => {
    expect(JSON.stringify(document)).not.toMatch(/\$defs|\$schema|~standard/)
  })
})

describe.each(routes)('%s in the document', (name, entry) => {
  const operation = getOperation(entry)
  const parameters = (operation?.parameters ?? []).filter((parameter) => 'name' in parameter)

  it('is there, and asks for a token unless everybody may call it', () => {
    expect(operation?.operationId).toBe(name)
    const expected = { public: [], optional: [{}, { bearer: [] }] }[String(entry.access)] ?? [{ bearer: [] }]
    expect(operation?.security).toEqual(expected)
  })

  it('declares each name in its path as a required parameter', () => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map((parameter) => parameter.name).sort()).toEqual(pathNames(entry.path).sort())
    expect(inPath.every((parameter) => parameter.required)).toBe(true)
  })

  it('says where every other name travels', () => {
    const names = Object.keys((z.toJSONSchema(entry.input, { io: 'input' }) as { properties: object }).properties)
    const others = names.filter((each) => !pathNames(entry.path).includes(each))
    const inQuery = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name)
    const inBody = Object.keys(operation?.requestBody?.content['application/json'].schema.properties ?? {})
    expect({ inQuery, inBody }).toEqual(
      carriesBody(entry.method) ? { inQuery: [], inBody: others } : { inQuery: others, inBody: [] },
    )
  })

  it('says what it answers', () => {
    const media = entry.media ?? 'application/json'
    const schema = operation?.responses['200']?.content?.[media]?.schema
    expect(schema).toBeTypeOf('object')
    expect(Object.keys(schema ?? {})).not.toHaveLength(0)
  })
})

it('responses are described as the server writes them, requests as it reads them', () => {
  const { list } = api.terminals
  const item = resolve('#/components/schemas/TerminalListItem') as { properties: object; required: string[] }
  expect(getOperation(list)?.responses['200']?.content?.['application/json']?.schema).toMatchObject({
    properties: { data: { items: { $ref: '#/components/schemas/TerminalListItem' } } },
  })
  expect(item.properties).toMatchObject({
    alerts: { type: 'string', contentMediaType: 'application/json' },
    status: { enum: ['online', 'offline', 'no data'] },
    isMobile: { type: 'boolean' },
    lastSeen: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
  })
  expect(item.required).toContain('alerts')
  expect(getOperation(api.profile.checkOtp)?.requestBody?.content['application/json'].schema.properties).toEqual({
    checkOtp: { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }] },
  })
})

it('space around what is trimmed is allowed, and nothing else', () => {
  const entry = route({
    method: 'POST',
    path: '/some/',
    access: 'user',
    summary: 'Some',
    output: z.object({}),
    input: z.strictObject({ line: requiredLine(20), email: Email, name: lineText(20) }),
  })
  const body = getOperation(entry, buildDocument({ some: { entry } }))?.requestBody?.content['application/json'].schema
  const allows = (name: string, value: string) => {
    const properties = body?.properties as Record<string, { anyOf?: Patterns[] } & Patterns> | undefined
    const property = properties?.[name]
    const { allOf = [] } = property?.anyOf?.[0] ?? property ?? {}
    expect(allOf.length).toBeGreaterThan(1)
    return allOf.every(({ pattern }) => new RegExp(pattern, 'u').test(value))
  }
  for (const value of ['a b', '\r𝒲\n', '\t\n', '', ' a@b.example ', 'a\0', 'a\nb', 'x/y', '\ufeffé\u2003'])
    for (const name of ['line', 'email', 'name']) {
      const whole = { line: 'a', email: 'a@b.example', name: 'a' }
      expect([name, value, allows(name, value)]).toEqual([
        name,
        value,
        z.safeDecode(entry.input as z.ZodMiniType, { ...whole, [name]: value }).success,
      ])
    }
})

it('two methods of one path stand side by side', () => {
  const described = (method: 'GET' | 'POST') =>
    route({
      method,
      path: '/a/:b/',
      access: 'public',
      summary: method,
      input: z.strictObject({ b: z.string() }),
      output: z.string(),
    })
  const { paths } = buildDocument({ some: { read: described('GET'), write: described('POST') } })
  expect(Object.keys(paths['/a/{b}/'] ?? {})).toEqual(['get', 'post'])
})
