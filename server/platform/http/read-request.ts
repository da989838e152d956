import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { ApiError, invalid } from '#contract/errors.ts'
import { flattenIssue } from '#contract/issues.ts'
import { carriesBody, pathNames, type Route } from '#contract/route.ts'
import type { RequestFacts } from '../context.ts'
import { createCookies } from './cookies.ts'
import { parseTenantAddress } from './tenant-address.ts'

const findName = (...values: unknown[]) =>
  values.find((value) => typeof value === 'string' && value !== '') as string | undefined

/** The tenant that the host, a header or the query names. */
export const readTenantAddress = ({ headers, query }: FastifyRequest) =>
  parseTenantAddress(headers.host, findName(headers['x-tenant'], (query as Record<string, unknown>).tenant))

/** Older clients name the tenant only in the body. */
export const readTenantInBody = ({ headers, body }: FastifyRequest) => {
  const named = findName((body as Record<string, unknown> | null | undefined)?.tenant)
  return named === undefined ? undefined : parseTenantAddress(headers.host, named)
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,200}$/

const readIdempotencyKey = (request: FastifyRequest) => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key))
    throw invalid('Idempotency-Key: please send 1 to 200 characters without spaces.')
  return key
}

export const readFacts = (request: FastifyRequest, reply: FastifyReply): RequestFacts => ({
  origin: `${request.protocol}://${request.headers.host ?? ''}`,
  address: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 300) ?? '',
  idempotencyKey: readIdempotencyKey(request),
  cookies: createCookies(request, reply),
  log: request.log,
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only for a string or a number: converting anything else in a body can fail or be slow. */
const isSameText = (value: unknown, text: string) =>
  (typeof value === 'string' || typeof value === 'number') && String(value) === text

/** Merges path, query and body into one object; refuses a body value that differs from the path parameter of the same name. */
const gatherInput = (route: Route, request: FastifyRequest) => {
  const params = request.params as Record<string, string>
  const { tenant: _, ...query } = request.query as Record<string, unknown>
  const sent = carriesBody(route.method) ? (request.body ?? {}) : query
  if (!isRecord(sent)) throw invalid('The body must be a JSON object.')
  for (const name of pathNames(route.path))
    if (name in sent && !isSameText(sent[name], params[name] as string))
      throw invalid(`${name}: the body and the path disagree.`)
  return { ...sent, ...params }
}

/** Refuses a query with broken encoding, which would otherwise be taken literally. */
const refuseUnreadableQuery = (url: string) => {
  try {
    decodeURIComponent(url.slice(url.indexOf('?') + 1))
  } catch {
    throw invalid('The query could not be read: it holds a broken percent-encoding.')
  }
}

export const parseInput = (route: Route, request: FastifyRequest) => {
  refuseUnreadableQuery(request.url)
  const parsed = z.safeDecode(route.input, gatherInput(route, request))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues.flatMap(flattenIssue)
  const field = issue?.path.join('.')
  throw invalid(field ? `${field}: ${issue?.message}` : (issue?.message ?? 'The input does not fit.'))
}

/** Checks the announced length, which the HTTP parser then enforces. */
export const limitVisitorBody = ({ maxVisitorBodyBytes }: Route, { headers }: FastifyRequest) => {
  if (maxVisitorBodyBytes === undefined) return
  if (headers['transfer-encoding'] !== undefined)
    throw new ApiError(411, 'length_required', 'Please send the length of the body (Content-Length).')
  if (Number(headers['content-length'] ?? 0) > maxVisitorBodyBytes)
    throw new ApiError(413, 'too_large', 'This is too long. Please shorten it, or sign in first.')
}
