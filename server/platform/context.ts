import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { type FeatureItem, isGranted } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import type { Scope as TokenScope } from '#contract/scopes.ts'
import type { Config } from './config.ts'
import type { Database, Db, Read, Scope } from './database/database.ts'
import { setToken } from './database/transaction-token.ts'
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

/** The API token that a request was sent with. */
export interface SenderToken {
  id: string
  name: string
  scopes: readonly TokenScope[]
}

export interface SignedInUser {
  userId: number
  /** Undefined where a token sent the request. */
  sessionId: string | undefined
  token: SenderToken | undefined
  email: string
  role: Role
  group: string
  customerName: string
  /** They may call only what `isAllowedBeforePasswordChange`. */
  mustChangePassword: boolean
  /** They may call only what `isAllowedBeforeFactor`. */
  mustAddFactor: boolean
}

/** A valid session: who sent the request, and the values of feature items that were set for that user. */
export interface Session {
  tenantId: string
  user: SignedInUser
  grants: Partial<Record<string, string>>
}

/** The value of each feature item that a user holds. */
export type Permissions = Record<FeatureItem, string>

/**
 * The users whose row, sessions or grants the work changes. They are locked at its start, together with the sender and in
 * the order of their ids, so that no two transactions wait for each other.
 */
export type ChangedUsers = 'self' | 'all' | number | { userId: number; administrators: true }

/** For work that may leave the tenant without an administrator. */
export const withAdministrators = (userId: number): ChangedUsers => ({ userId, administrators: true })

/** What a transaction locks before it reads the sender's rights: nothing, the sender's rights against change, or users. */
export type RightsLock = 'none' | 'share' | ChangedUsers

/** Throws unless the sender may still do what the request began with. */
export type ConfirmRights = (db: Db, lock: RightsLock) => Promise<void>

/** What is known of a request before its sender is. */
export interface RequestFacts {
  /** The origin that the request was sent to: https://portal.example. */
  origin: string
  address: string
  userAgent: string
  /** Identifies this attempt: a call that honors it runs once, however often it is sent. */
  idempotencyKey: string | undefined
  cookies: Cookies
  log: FastifyBaseLogger
}

/** What a call reads about its sender before its body. */
export interface SenderFacts {
  /** Whether somebody of the tenant has signed in from the sender's network. */
  isKnownNetwork?: boolean
}

/** A request whose sender is known by address only. */
export interface AnonymousContext extends RequestFacts, SenderFacts {
  services: Services
  tenantId: string | undefined
}

type Work<T> = (db: Db, client: pg.PoolClient) => Promise<T>

/**
 * A request of a signed-in user. Where a session is optional, `'user' in context` says whether there is one. It has no
 * `services.database`: what writes for a user goes through `transaction`.
 */
export interface Context extends RequestFacts {
  services: Omit<Services, 'database'>
  tenantId: string
  user: SignedInUser
  permissions: Permissions
  can: (item: FeatureItem) => boolean
  /** The rows that the user may see. */
  scope: Scope
  /**
   * A transaction in `scope`. A call that reads gets a read-only one. A call that writes first locks and reads again the
   * sender's session, role, group and grants: until the end nobody can revoke them, and if they were revoked since the
   * request came, nothing is written.
   */
  transaction: <T>(work: Work<T>, changes?: ChangedUsers) => Promise<T>
  /** Throws if the sender's rights were revoked since the request came: between the steps of long work. */
  requireRights: () => Promise<void>
  read: Read
  /** For what does not depend on the sender's rights, such as recording what the vendor has done already. */
  unguarded: Database
}

interface Sender {
  session: Session
  permissions: Permissions
  confirmRights: ConfirmRights
  isReadOnly: boolean
}

export const createContext = (
  { services, ...facts }: RequestFacts & { services: Services },
  { session: { tenantId, user }, permissions, confirmRights, isReadOnly }: Sender,
): Context => {
  const { database, ...others } = services
  const scope = toScope(tenantId, user)
  return {
    ...facts,
    services: others,
    tenantId,
    user,
    permissions,
    can: (item) => isGranted(item, permissions[item]),
    scope,
    transaction: (work, changes) => {
      if (isReadOnly) return database.transaction(scope, work, { isReadOnly })
      return database.transaction(scope, async (db, client) => {
        await confirmRights(db, changes ?? 'share')
        if (user.token) setToken(db, user.token)
        return work(db, client)
      })
    },
    requireRights: () => database.transaction(scope, (db) => confirmRights(db, 'none'), { isReadOnly: true }),
    read: database.reader(scope),
    unguarded: database,
  }
}

/** The transactions of a call that visitors may make too: with the rights of the user if there is one. */
export const openTransaction = (context: AnonymousContext | Context, tenantId: string): Context['transaction'] =>
  'user' in context ? context.transaction : (work) => context.services.database.transaction({ tenantId }, work)
