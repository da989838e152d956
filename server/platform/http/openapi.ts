import { ErrorBody } from '#contract/errors.ts'
import { type Access, carriesBody, pathNames, type Route, type RouteTable } from '#contract/route.ts'
import { findScope, scopes } from '#contract/scopes.ts'
import { webhookEventNames } from '#contract/webhook-event-types.ts'
import { type SentEventType, WEBHOOK_VERSION, webhookBody, webhookEvents } from '#contract/webhook-events.ts'
import { apiGuide } from './api-guide.ts'
import { type JsonSchema, requestSchema, responseSchema } from './openapi-schemas.ts'

type Components = Record<string, JsonSchema>

const errorResponse = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
})

/** 'serviceLines' → 'Service lines' */
const formatTitle = (name: string) =>
  name.replace(/^[a-z]/, (letter) => letter.toUpperCase()).replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const describeAccess = (access: Access) => {
  if (typeof access === 'object') return `For users who hold \`${access.item}\`, and administrators.`
  return {
    public: 'For everybody.',
    optional: 'For everybody; a signed-in user is recognized.',
    user: 'For everybody who is signed in.',
    admin: 'For administrators.',
  }[access]
}

const describeScope = (scope: ReturnType<typeof findScope>) => {
  if (scope === 'never') return 'Not for API tokens.'
  return scope && `API tokens need the scope \`${scope}\`.`
}

/** A body may encode a value in several ways; in a path or query they are all the same text, so the first one is used. */
const asParameter = (schema: JsonSchema): JsonSchema => (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema

const buildParameters = (route: Route, input: JsonSchema) => {
  const inPath = pathNames(route.path)
  const required = (input.required ?? []) as string[]
  return Object.entries((input.properties ?? {}) as Record<string, JsonSchema>)
    .filter(([name]) => inPath.includes(name) || !carriesBody(route.method))
    .map(([name, schema]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: required.includes(name),
      schema: asParameter(schema),
    }))
}

const buildRequestBody = (route: Route, input: JsonSchema) => {
  const inPath = pathNames(route.path)
  const properties = Object.entries((input.properties ?? {}) as Record<string, JsonSchema>)
  const inBody = properties.filter(([name]) => !inPath.includes(name))
  if (!carriesBody(route.method) || inBody.length === 0) return undefined
  const required = ((input.required ?? []) as string[]).filter((name) => !inPath.includes(name))
  const schema = { ...input, properties: Object.fromEntries(inBody), required }
  const visitors = route.maxVisitorBodyBytes ? `, ${route.maxVisitorBodyBytes / 1024} KiB without a session` : ''
  const description = `At most ${(route.maxBodyBytes ?? 16 * 1024) / 1024} KiB${visitors}, not compressed.`
  return { required: required.length > 0, description, content: { 'application/json': { schema } } }
}

const buildSecurity = (access: Access) => {
  if (access === 'public') return []
  return access === 'optional' ? [{}, { bearer: [] }] : [{ bearer: [] }]
}

const operation = (components: Components, tag: string, name: string, route: Route) => {
  const input = requestSchema(components, route.input)
  const media = route.media ?? 'application/json'
  return {
    operationId: `${tag}.${name}`,
    tags: [formatTitle(tag)],
    summary: route.summary,
    description: [describeAccess(route.access), describeScope(findScope(tag, name, route))].filter(Boolean).join(' '),
    security: buildSecurity(route.access),
    parameters: [
      ...buildParameters(route, input),
      { $ref: '#/components/parameters/Tenant' },
      ...(route.isIdempotentByKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    requestBody: buildRequestBody(route, input),
    responses: {
      200: { description: 'Done', content: { [media]: { schema: responseSchema(components, route.output) } } },
      400: { $ref: '#/components/responses/Invalid' },
      ...(route.access !== 'public' && { 401: { $ref: '#/components/responses/Unauthorized' } }),
      ...(route.access !== 'public' && { 403: { $ref: '#/components/responses/Forbidden' } }),
      default: { $ref: '#/components/responses/Failed' },
    },
  }
}

/** The payloads of webhooks, with an example of each. */
const buildWebhooks = (components: Components) =>
  Object.fromEntries(
    (Object.keys(webhookEvents) as SentEventType[]).map((type) => {
      const example = {
        type,
        version: WEBHOOK_VERSION,
        timestamp: '2026-11-17T08:14:05.000Z',
        data: webhookEvents[type].example,
      }
      const schema = responseSchema(components, webhookBody(type))
      const summary = type === 'ping' ? 'A test on request' : webhookEventNames[type]
      const post = {
        operationId: `webhook.${type}`,
        tags: ['Events'],
        summary,
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema, example } } },
        responses: { 204: { description: 'Received. Every other status makes us try again.' } },
      }
      return [type, { post }]
    }),
  )

/** The OpenAPI 3.1 document of the same route table that the server mounts. */
export const openApiDocument = (api: Record<string, RouteTable>): Record<string, unknown> => {
  const schemas: Components = {}
  responseSchema(schemas, ErrorBody)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [tag, table] of Object.entries(api))
    for (const [name, route] of Object.entries(table)) {
      const path = route.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(schemas, tag, name, route) }
    }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Dishboard',
      version: '1',
      description: apiGuide(scopes),
    },
    servers: [{ url: '/api' }],
    tags: [...Object.keys(api).map(formatTitle), 'Events'].map((name) => ({ name })),
    paths,
    webhooks: buildWebhooks(schemas),
    components: {
      schemas,
      parameters: {
        Tenant: {
          name: 'X-Tenant',
          in: 'header',
          required: false,
          description: 'The tenant, where the host name does not tell: on localhost and bare addresses.',
          schema: { type: 'string' },
        },
        IdempotencyKey: {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description: 'Names this attempt: sent again under the same key, the call is not carried out again.',
          schema: { type: 'string', minLength: 1, maxLength: 200 },
        },
      },
      responses: {
        Invalid: errorResponse('The input does not fit; the message names the field.'),
        Unauthorized: errorResponse('The token is missing, expired, revoked, or of another tenant.'),
        Forbidden: errorResponse(
          'The caller may not do this, the token lacks the scope, or there is no such thing for the caller.',
        ),
        Failed: errorResponse('The call failed.'),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token, or the access token of a sign-in.' },
      },
    },
  }
}
