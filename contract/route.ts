import type * as z from 'zod/mini'
import type { FeatureItem } from './features.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: anybody, anybody but a signed-in person is known ('optional'), a signed-in person, an administrator, or a
 * person who holds a feature item.
 */
export type Access = 'public' | 'optional' | 'user' | 'admin' | { item: FeatureItem }

/** The media type of a response; everything but JSON is streamed unchanged. */
export type Media = 'application/json' | 'text/csv' | 'text/event-stream'

/**
 * One call of the API. `input` is one object: names that stand in the path (`:nickname`) travel there, the others in the
 * query (GET, DELETE) or in the JSON body. Both schemas may hold codecs: the wire keeps the product's oddities, code on
 * both sides sees clean values.
 */
export interface Route<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Allowed extends Access = Access,
> {
  method: Method
  path: `/${string}`
  access: Allowed
  summary: string
  input: Input
  output: Output
  media?: Media
  /** A repeated request with the same Idempotency-Key is not executed again. */
  isIdempotentByKey?: true
}

export type RouteTable = Record<string, Route>

export type RouteInput<R extends Route> = z.output<R['input']>
export type RouteOutput<R extends Route> = z.output<R['output']>

// @__NO_SIDE_EFFECTS__
export function route<Input extends z.ZodMiniType, Output extends z.ZodMiniType, const Allowed extends Access>(
  description: Route<Input, Output, Allowed>,
) {
  return description
}

/** The names a path carries: '/terminals/:kitnumber/:period/' → ['kitnumber', 'period']. */
export const pathNames = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)

/** The rest of the input: in the query of calls that carry no body. */
export const carriesBody = (method: Method) => method !== 'GET' && method !== 'DELETE'
