import type { Schema } from './schema.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}

interface Described {
  operationId: string
  parameters: (Parameter | { $ref: string })[]
  security: object[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
}

export interface Operation {
  name: string
  method: string
  /** With the parameter names in braces. */
  path: string
  parameters: Parameter[]
  /** Absent if the call takes no body. */
  body: Schema | undefined
  carriesBody: boolean
  needsToken: boolean
}

/** Every call in the OpenAPI document of a running server. */
export const readOperations = async (url: string): Promise<Operation[]> => {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Described>>
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      name: described.operationId,
      method: method.toUpperCase(),
      path: `/api${path}`,
      parameters: described.parameters.filter(
        (parameter) => 'name' in parameter && parameter.in !== 'header',
      ) as Parameter[],
      body: described.requestBody?.content['application/json'].schema,
      carriesBody: method !== 'get' && method !== 'delete',
      needsToken: described.security.length > 0,
    })),
  )
}
