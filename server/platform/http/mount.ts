import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import {
  ApiError,
  addFactorFirst,
  changePasswordFirst,
  conflict,
  forbidden,
  invalid,
  unauthorized,
} from '#contract/errors.ts'
import { isGranted } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import { flattenIssue } from '#contract/issues.ts'
import {
  type Access,
  carriesBody,
  isWriting,
  pathNames,
  type Route,
  type RouteInput,
  type RouteOutput,
  type RouteTable,
} from '#contract/route.ts'
import {
  type AnonymousContext,
  type ConfirmRights,
  type Context,
  createContext,
  type Permissions,
  type RequestFacts,
  type RightsLock,
  type SenderFacts,
  type Services,
  type Session,
} from '../context.ts'
import type { Database, Db } from '../database/database.ts'
import { createCookies } from './cookies.ts'
import { limitConcurrency, limitIdentification } from './load-shedding.ts'
import { setSender } from './request-log.ts'
import { parseTenantAddress, type TenantAddress } from './tenant-address.ts'

/** A response that the contract does not encode from a value: a stream, or ready-made text. */
export class RawResponse {
  readonly send: (request: FastifyRequest, reply: FastifyReply) => unknown
  constructor(send: (request: FastifyRequest, reply: FastifyReply) => unknown) {
    this.send = send
  }
}

type ContextFor<A extends Access> = A extends 'public'
  ? AnonymousContext
  : A extends 'optional'
    ? AnonymousContext | Context
    : Context
type Handle<R extends Route> = (
  context: R extends Route<R['input'], R['output'], infer A> ? ContextFor<A> : never,
  input: RouteInput<R>,
) => Promise<RouteOutput<R> | RawResponse>
/**
 * Throws if the sender may not make this call at the moment. It runs before the body is read, so it has the sender and no
 * input.
 */
type CheckSender = (context: AnonymousContext) => Promise<SenderFacts>
type Handler<R extends Route> = Handle<R> | { checkSender: CheckSender; handle: Handle<R> }

export type Handlers<T extends RouteTable> = { [K in keyof T]: Handler<T[K]> }

const findName = (...values: unknown[]) =>
  values.find((value) => typeof value === 'string' && value !== '') as string | undefined

const readNamedTenant = ({ headers, query }: FastifyRequest) =>
  findName(headers['x-tenant'], (query as Record<string, unknown>).tenant)

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

const requireAccess = (access: Exclude<Access, 'public'>, role: Role, permissions: Permissions) => {
  if (access === 'user' || access === 'optional' || role === 'admin') return
  if (access === 'admin' || !isGranted(access.item, permissions[access.item])) throw forbidden()
}

/** What the user must do before this call, if anything. */
const findDuty = ({ isAllowedBeforePasswordChange, isAllowedBeforeFactor }: Route, { user }: Session) => {
  if (isAllowedBeforePasswordChange) return undefined
  if (user.mustChangePassword) return changePasswordFirst()
  return user.mustAddFactor && !isAllowedBeforeFactor ? addFactorFirst() : undefined
}

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

const parseInput = (route: Route, request: FastifyRequest) => {
  refuseUnreadableQuery(request.url)
  const parsed = z.safeDecode(route.input, gatherInput(route, request))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues.flatMap(flattenIssue)
  const field = issue?.path.join('.')
  throw invalid(field ? `${field}: ${issue?.message}` : (issue?.message ?? 'The input does not fit.'))
}

/** Identifies the sender of a request. Platform code imports no capability, so the process passes these functions in. */
export interface Authentication {
  resolveTenant: (database: Database, address: TenantAddress) => Promise<string | undefined>
  authenticate: (
    services: Services,
    address: TenantAddress,
    authorization: string | undefined,
    origin: Pick<RequestFacts, 'address' | 'userAgent'>,
  ) => Promise<Session | undefined>
  /** Throws unless the session's token has one of the scopes and is within its rate limit, which it reports in headers. */
  admitToken: (
    services: Services,
    session: Session,
    scopes: readonly string[] | undefined,
    origin: Pick<RequestFacts, 'address' | 'userAgent'>,
    setHeaders: (headers: Record<string, string>) => void,
  ) => Promise<void>
  /** The current session, read after locking what `lock` names. */
  readSession: (db: Db, session: Session, lock: RightsLock, now: Date) => Promise<Session | undefined>
  toPermissions: (role: Role, grants: Session['grants']) => Permissions
}

interface Mounting extends Authentication {
  services: Services
  /** The scopes of which an API token needs at least one for this call. */
  listScopes: (name: string, route: Route) => readonly string[] | undefined
}

const haveSameRights = (one: Session, other: Session) =>
  one.user.role === other.user.role &&
  one.user.group === other.user.group &&
  isDeepStrictEqual(one.grants, other.grants)

/** Repeats the checks that a session passed at the start of a call, on current data. */
const createRightsCheck =
  (
    { services, readSession, toPermissions }: Mounting,
    route: Route & { access: Exclude<Access, 'public'> },
    session: Session,
  ): ConfirmRights =>
  async (db, lock) => {
    const current = await readSession(db, session, lock, services.now())
    if (!current) throw unauthorized()
    const duty = findDuty(route, current)
    if (duty) throw duty
    requireAccess(route.access, current.user.role, toPermissions(current.user.role, current.grants))
    // The operation was prepared with the earlier rights, and its transaction sees the rows of the earlier group.
    if (!haveSameRights(session, current)) throw conflict('Your permissions have changed. Please try again.')
  }

const isForUsers = (route: Route): route is Route & { access: Exclude<Access, 'public'> } => route.access !== 'public'

/** Finds the tenant and the session, and checks the sender's access and limits. */
const identify = async (
  mounting: Mounting,
  route: Route,
  scopes: readonly string[] | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AnonymousContext | Context> => {
  const { services, resolveTenant, authenticate, admitToken, toPermissions } = mounting
  const facts = { services, ...readFacts(request, reply) }
  const address = parseTenantAddress(request.headers.host, readNamedTenant(request))
  // An invalid token is refused even if no token is required, so that the client refreshes it and stays signed in.
  const isSignedIn = route.access !== 'optional' || request.headers.authorization !== undefined
  if (!isForUsers(route) || !isSignedIn) return { ...facts, tenantId: await resolveTenant(services.database, address) }
  const session = await authenticate(services, address, request.headers.authorization, facts)
  if (!session) throw unauthorized()
  if (session.user.token) await admitToken(services, session, scopes, facts, (headers) => reply.headers(headers))
  const duty = findDuty(route, session)
  if (duty) {
    // Treated as a visitor where the call is open to visitors, such as help.
    if (route.access === 'optional') return { ...facts, tenantId: session.tenantId }
    throw duty
  }
  const permissions = toPermissions(session.user.role, session.grants)
  requireAccess(route.access, session.user.role, permissions)
  const confirmRights = createRightsCheck(mounting, route, session)
  return createContext(facts, { session, permissions, confirmRights, isReadOnly: !isWriting(route) })
}

/** Checks the announced length, which the HTTP parser then enforces. */
const limitVisitorBody = ({ maxVisitorBodyBytes }: Route, { headers }: FastifyRequest) => {
  if (maxVisitorBodyBytes === undefined) return
  if (headers['transfer-encoding'] !== undefined)
    throw new ApiError(411, 'length_required', 'Please send the length of the body (Content-Length).')
  if (Number(headers['content-length'] ?? 0) > maxVisitorBodyBytes)
    throw new ApiError(413, 'too_large', 'This is too long. Please shorten it, or sign in first.')
}

/** Older clients name the tenant only in the body. Undefined if the body names none. */
const readTenantInBody = async ({ services, resolveTenant }: Mounting, request: FastifyRequest) => {
  const named = findName((request.body as Record<string, unknown> | null | undefined)?.tenant)
  if (named === undefined) return undefined
  return resolveTenant(services.database, parseTenantAddress(request.headers.host, named))
}

/** Serves each call of a table. A call without a handler does not compile. */
export const mount = <T extends RouteTable>(
  app: FastifyInstance,
  mounting: Mounting,
  table: T,
  handlers: Handlers<T>,
) => {
  for (const [name, route] of Object.entries(table)) {
    const handler = handlers[name] as unknown as Handler<Route>
    const { handle, checkSender } = 'handle' in handler ? handler : { handle: handler, checkSender: undefined }
    const scopes = mounting.listScopes(name, route)
    const contexts = new WeakMap<FastifyRequest, AnonymousContext | Context>()

    const respond = async (request: FastifyRequest) => {
      let context = contexts.get(request) as AnonymousContext | Context
      if (!('user' in context) && context.tenantId === undefined) {
        context = { ...context, tenantId: await readTenantInBody(mounting, request) }
        if (context.tenantId !== undefined) context = { ...context, ...(await checkSender?.(context)) }
      }
      return handle(context as never, parseInput(route, request))
    }

    app.route({
      method: route.method,
      url: `/api${route.path}`,
      ...(route.maxBodyBytes && { bodyLimit: route.maxBodyBytes }),
      config: { isNeverShed: route.isNeverShed === true },
      // Before the body is read: a sender without access must not make the server receive and parse one. The slot is
      // released meanwhile, or a few clients that send their bodies slowly would occupy all slots.
      onRequest: (request, reply) => {
        const admit = async () => {
          const context = await identify(mounting, route, scopes, request, reply)
          const user = 'user' in context ? context.user : undefined
          setSender(request, { tenantId: context.tenantId, userId: user?.userId, tokenId: user?.token?.id })
          if (!user) limitVisitorBody(route, request)
          const facts = await checkSender?.({ ...context, services: mounting.services })
          contexts.set(request, { ...context, ...facts })
        }
        return route.isNeverShed ? admit() : limitIdentification(admit)
      },
      handler: async (request, reply) => {
        const { tenantId } = contexts.get(request) as AnonymousContext | Context
        const result = await (route.isNeverShed ? respond(request) : limitConcurrency(tenantId, () => respond(request)))
        if (result instanceof RawResponse) return result.send(request, reply)
        return reply.send(z.encode(route.output, result as never))
      },
    })
  }
}
