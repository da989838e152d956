import * as z from 'zod/mini'
import { ApiError } from '#contract/errors.ts'
import { identity } from '#contract/identity.ts'
import { buildRequest, defaultMessage, encodeInput, readError } from '#contract/request.ts'
import type { Route, RouteInput, RouteOutput } from '#contract/route.ts'
import { recordContact } from './contact.ts'
import { takePrefetchedResponse } from './prefetched-responses.ts'
import { askForConfirmation } from './reauthentication.ts'
import { findTenantHint } from './tenant-hint.ts'
import { tokens } from './tokens.ts'

const basePath: string = import.meta.env.VITE_API_BASE ?? '/api'

/** Calls one route of the contract: encodes the input, decodes the output, and renews the access token once. */
export async function call<R extends Route>(
  route: R,
  input: RouteInput<R>,
  signal?: AbortSignal,
  idempotencyKey?: string,
): Promise<RouteOutput<R>> {
  const response = await request(route, input, signal, idempotencyKey)
  const body = await response.json().catch((cause) => {
    if (signal?.aborted) throw cause
  })
  return decodeOutput(route, body)
}

export function decodeOutput<R extends Route>(route: R, body: unknown) {
  const decoded = z.safeDecode(route.output, body)
  if (!decoded.success) throw new ApiError(502, 'unreadable', defaultMessage)
  return decoded.data as RouteOutput<R>
}

/** The same without reading the body, for streams. */
export async function request<R extends Route>(...given: RequestArguments<R>): Promise<Response> {
  try {
    return await requestWithToken(...given)
  } catch (error) {
    const isUnconfirmed = error instanceof ApiError && error.code === 'reauthenticate'
    if (!isUnconfirmed || !(await askForConfirmation())) throw error
    return requestWithToken(...given)
  }
}

type RequestArguments<R extends Route> = [
  route: R,
  input: RouteInput<R>,
  signal?: AbortSignal | undefined,
  idempotencyKey?: string | undefined,
]

async function requestWithToken<R extends Route>(
  ...[route, input, signal, idempotencyKey]: RequestArguments<R>
): Promise<Response> {
  const access = tokens.access
  const response = await send(route, input, access, signal, idempotencyKey)
  if (response.status !== 401 || route.access === 'public' || !access) return requireOk(response)
  const renewed = await renewAccess(access)
  if (!renewed && route.access !== 'optional') return requireOk(response)
  return requireOk(await send(route, input, renewed, signal, idempotencyKey))
}

/** There was no response, a timeout, or a server error: the tokens may still be valid. */
export const isUnreachable = (error: unknown) =>
  error instanceof ApiError && ([0, 408, 429].includes(error.status) || error.status >= 500)

/** The message to show when a call failed. */
export const getErrorMessage = (error: unknown) =>
  error instanceof Error && error.message !== '' ? error.message : defaultMessage

let renewing: Promise<string | null> | undefined

/**
 * One refresh for all tabs: the tab that holds the browser's lock sends it, and the others pick up the new token.
 * Returns null when the server refused, which signs the user out. Throws when the server is unreachable.
 */
export function renewAccess(stale: string): Promise<string | null> {
  // Browsers offer locks on secure origins only. Elsewhere each tab refreshes on its own.
  const renewExclusively = navigator.locks
    ? () => navigator.locks.request('dishboard:renew', () => renewOnce(stale))
    : () => renewOnce(stale)
  renewing ??= renewExclusively().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function renewOnce(stale: string) {
  const { access, refresh } = tokens
  if (access !== stale) return access
  if (!refresh) return clearTokens()
  const response = await send(identity.refresh, { refresh }, null)
  if (response.ok) {
    const renewed = z.decode(identity.refresh.output, await response.json())
    tokens.store(renewed)
    return renewed.access
  }
  const error = await readError(response)
  if (isUnreachable(error)) throw error
  return clearTokens()
}

function clearTokens() {
  tokens.clear()
  return null
}

async function requireOk(response: Response) {
  if (!response.ok) throw await readError(response)
  return response
}

async function send<R extends Route>(
  route: R,
  input: RouteInput<R>,
  access: string | null,
  signal?: AbortSignal,
  idempotencyKey?: string,
) {
  const { path, body } = buildRequest(route, encodeInput(route, input))
  const url = basePath + path
  const headers = new Headers({ accept: route.media ?? 'application/json' })
  if (access && route.access !== 'public') headers.set('authorization', `Bearer ${access}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  const tenant = findTenantHint()
  if (tenant) headers.set('x-tenant', tenant)
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
  try {
    const prefetched = takePrefetchedResponse(url, { access: headers.has('authorization') ? access : null, tenant })
    const response = await (prefetched ?? fetch(url, { method: route.method, headers, body, signal }))
    // These come from a proxy that cannot reach the server either.
    if (![502, 503, 504].includes(response.status)) recordContact()
    return response
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiError(0, 'unreachable', 'The server cannot be reached. Please check your connection.')
  }
}
