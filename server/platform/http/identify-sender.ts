import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { addFactorFirst, changePasswordFirst, conflict, forbidden, unauthorized } from '#contract/errors.ts'
import { isGranted } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import { type Access, isWriting, type Route } from '#contract/route.ts'
import {
  type AnonymousContext,
  type ConfirmRights,
  type Context,
  createContext,
  type Permissions,
  type RequestFacts,
  type RightsLock,
  type Services,
  type Session,
} from '../context.ts'
import type { Database, Db } from '../database/database.ts'
import { readFacts, readTenantAddress } from './read-request.ts'
import type { TenantAddress } from './tenant-address.ts'

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
  checkTokenUse: (
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

export interface Identification extends Authentication {
  services: Services
}

const haveSameRights = (one: Session, other: Session) =>
  one.user.role === other.user.role &&
  one.user.group === other.user.group &&
  isDeepStrictEqual(one.grants, other.grants)

/** Repeats the checks that a session passed at the start of a call, on current data. */
const createRightsCheck =
  (
    { services, readSession, toPermissions }: Identification,
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
export const identifySender = async (
  identification: Identification,
  route: Route,
  scopes: readonly string[] | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<AnonymousContext | Context> => {
  const { services, resolveTenant, authenticate, checkTokenUse, toPermissions } = identification
  const facts = { services, ...readFacts(request, reply) }
  const address = readTenantAddress(request)
  // An invalid token is refused even if no token is required, so that the client refreshes it and stays signed in.
  const isSignedIn = route.access !== 'optional' || request.headers.authorization !== undefined
  if (!isForUsers(route) || !isSignedIn) return { ...facts, tenantId: await resolveTenant(services.database, address) }
  const session = await authenticate(services, address, request.headers.authorization, facts)
  if (!session) throw unauthorized()
  if (session.user.token) await checkTokenUse(services, session, scopes, facts, (headers) => reply.headers(headers))
  const duty = findDuty(route, session)
  if (duty) {
    // Treated as a visitor where the call is open to visitors, such as help.
    if (route.access === 'optional') return { ...facts, tenantId: session.tenantId }
    throw duty
  }
  const permissions = toPermissions(session.user.role, session.grants)
  requireAccess(route.access, session.user.role, permissions)
  const confirmRights = createRightsCheck(identification, route, session)
  return createContext(facts, { session, permissions, confirmRights, isReadOnly: !isWriting(route) })
}
