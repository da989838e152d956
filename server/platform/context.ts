import type { FastifyBaseLogger } from 'fastify'
import { type FeatureItem, isGranted } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import type { Config } from './config.ts'
import type { Database, Db, Scope } from './database/database.ts'
import type { Cookies } from './http/cookies.ts'
import { toScope } from './scope.ts'
import type { Secrets } from './secrets.ts'

/** What every capability may use, created once at start. */
export interface Services {
  config: Config
  database: Database
  secrets: Secrets
  now: () => Date
}

export interface SignedInUser {
  userId: number
  sessionId: string
  email: string
  role: Role
  group: string
  customerName: string
}

/** A valid session: who sent the request, and the values of feature items that were set for that user. */
export interface Session {
  tenantId: string
  user: SignedInUser
  grants: Partial<Record<string, string>>
}

/** The value of each feature item that a user holds. */
export type Permissions = Record<FeatureItem, string>

/** A request whose sender is known by address only. */
export interface AnonymousContext {
  services: Services
  tenantId: string | undefined
  address: string
  userAgent: string
  /** Identifies this attempt: a call that honors it runs once, however often it is sent. */
  idempotencyKey: string | undefined
  cookies: Cookies
  log: FastifyBaseLogger
}

/** A request of a signed-in user. Where a session is optional, `'user' in context` says whether there is one. */
export interface Context extends AnonymousContext {
  tenantId: string
  user: SignedInUser
  permissions: Permissions
  can: (item: FeatureItem) => boolean
  /** The rows that the user may see. */
  scope: Scope
  /** A transaction in `scope`. */
  transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

export const createContext = (
  request: Omit<AnonymousContext, 'tenantId'>,
  { tenantId, user }: Session,
  permissions: Permissions,
): Context => {
  const scope = toScope(tenantId, user)
  return {
    ...request,
    tenantId,
    user,
    permissions,
    can: (item) => isGranted(item, permissions[item]),
    scope,
    transaction: (work) => request.services.database.transaction(scope, (db) => work(db)),
  }
}
