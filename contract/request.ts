import * as z from 'zod/mini'
import { ApiError, ErrorBody } from './errors.ts'
import { carriesBody, pathNames, type Route } from './route.ts'

/** Input that the contract refuses is not sent, and fails as if the server had refused it. */
export function encodeInput(route: Route, input: unknown) {
  const encoded = z.safeEncode(route.input, input)
  if (encoded.success) return encoded.data as Record<string, unknown>
  const { path, message } = encoded.error.issues[0] as z.core.$ZodIssue
  throw new ApiError(400, 'invalid', [path.join('.'), message].filter(Boolean).join(': '))
}

/**
 * The request of a call, below `/api`: path parameters go into the path, the rest into the query or the body.
 */
export function buildRequest(route: Route, wire: Record<string, unknown>) {
  const names = pathNames(route.path)
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(wire[name])))
  const rest = Object.entries(wire).filter(([name, value]) => !names.includes(name) && value !== undefined)
  if (carriesBody(route.method)) return { path, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString()
  return { path: path + (query && `?${query}`), body: undefined }
}

export const defaultMessage = 'An error occurred. Please try again.'

/** The error in the body of a failed call, which may come from a proxy. */
export async function readError(response: Response) {
  const body = z.safeParse(z.partial(ErrorBody), await response.json().catch(() => ({})))
  const { error, message } = body.success ? body.data : {}
  const retryAfterS = Number(response.headers.get('retry-after')) || undefined
  const text = message || error || defaultMessage
  return new ApiError(response.status, error ?? 'unknown', text, retryAfterS)
}
