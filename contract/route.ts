import type * as z from 'zod/mini'
import type { FeatureItem } from './features.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: anyone ('public'; with 'optional' a signed-in user is recognized), a signed-in user, an administrator, or
 * a user who holds a feature item.
 */
export type Access = 'public' | 'optional' | 'user' | 'admin' | { item: FeatureItem }

/** The media type of a response; everything but JSON is streamed unchanged. */
export type Media =
  | 'application/json'
  | 'application/pdf'
  | 'text/csv'
  | 'text/event-stream'
  | 'application/openmetrics-text'

/**
 * One call of the API. `input` is one object: fields that are named in the path (`:nickname`) are sent there, the others
 * in the query (GET, DELETE) or in the JSON body. Both schemas may contain codecs, which turn the wire format's quirks
 * into clean values on both sides.
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
  /** How large a request body may be; 16 KiB unless given. */
  maxBodyBytes?: number
  /** How large it may be without a session, where that is less. */
  maxVisitorBodyBytes?: number
  /** Never rejected under load, because every page needs it. */
  isNeverShed?: true
  /** Also allowed for users who must change their password first. All other calls reject them. */
  isAllowedBeforePasswordChange?: true
  /** Also allowed for users who must add a second factor first, like all calls that are allowed before a password change. */
  isAllowedBeforeFactor?: true
  /** A repeated request with the same Idempotency-Key is not executed again. */
  isIdempotentByKey?: true
  /** Set where the method is misleading: for a GET that changes something, or a POST that only reads. */
  writes?: boolean
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

/** The parameters of a path: '/terminals/:kitnumber/:period/' → ['kitnumber', 'period']. */
export const pathNames = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)

/** Whether a call may change something. Handlers of all other calls get read-only transactions. */
export const isWriting = ({ method, writes }: Route) => writes ?? method !== 'GET'

/** Calls without a body send the rest of the input in the query. */
export const carriesBody = (method: Method) => method !== 'GET' && method !== 'DELETE'
