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

/** Dependencies of every capability, created once at start. */
export interface Services {
  config: Config
  database: Database
  secrets: Secrets
  now: () => Date
}

/** The API token that sent a request. */
export interface SenderToken {
  id: string
  name: string
  scopes: readonly TokenScope[]
}

export interface SignedInUser {
  userId: number
  /** Undefined if an API token sent the request. */
  sessionId: string | undefined
  token: SenderToken | undefined
  email: string
  role: Role
  group: string
  customerName: string
  /** Such a user may call only routes with `isAllowedBeforePasswordChange`. */
  mustChangePassword: boolean
  /** Such a user may call only routes with `isAllowedBeforeFactor`. */
  mustAddFactor: boolean
}

/** A valid session: the user who sent the request, and the feature item values set for that user. */
export interface Session {
  tenantId: string
  user: SignedInUser
  grants: Partial<Record<string, string>>
}

/** The user's value of each feature item. */
export type Permissions = Record<FeatureItem, string>

/**
 * The users whose row, sessions or grants the transaction changes. They are locked at its start, together with the sender
 * and in order of their ids, so that transactions do not deadlock.
 */
export type ChangedUsers = 'self' | 'all' | number | { userId: number; administrators: true }

/** For changes that could leave the tenant without an administrator. */
export const withAdministrators = (userId: number): ChangedUsers => ({ userId, administrators: true })

/** What a transaction locks before it reads the sender's rights: nothing, the sender's rights (shared lock), or users. */
export type RightsLock = 'none' | 'share' | ChangedUsers

/** Throws unless the sender still has the rights that the request started with. */
export type ConfirmRights = (db: Db, lock: RightsLock) => Promise<void>

/** What is known about a request before its sender is identified. */
export interface RequestFacts {
  /** The origin that the request was sent to: https://portal.example. */
  origin: string
  address: string
  userAgent: string
  /** Identifies this attempt: a call that supports it runs once, however often it is sent. */
  idempotencyKey: string | undefined
  cookies: Cookies
  log: FastifyBaseLogger
}

/** What a call reads about its sender before it reads the body. */
export interface SenderFacts {
  /** Whether any user of the tenant has signed in from the sender's network. */
  isKnownNetwork?: boolean
}

/** A request whose sender is known only by IP address. */
export interface AnonymousContext extends RequestFacts, SenderFacts {
  services: Services
  tenantId: string | undefined
}

type Work<T> = (db: Db, client: pg.PoolClient) => Promise<T>

/**
 * A request of a signed-in user. Where a session is optional, `'user' in context` tells whether there is one. It has no
 * `services.database`: writes for a user go through `transaction`.
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
   * A transaction in `scope`, read-only for a call that only reads. A call that writes first locks and rereads the
   * sender's session, role, group and grants: they cannot be revoked until the transaction ends, and if they were revoked
   * after the request arrived, nothing is written.
   */
  transaction: <T>(work: Work<T>, changes?: ChangedUsers) => Promise<T>
  /** Throws if the sender's rights were revoked after the request arrived. For use between the steps of a long operation. */
  requireRights: () => Promise<void>
  read: Read
  /** For writes that do not depend on the sender's rights, such as recording what the vendor has already done. */
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

/** The transactions of a call that is also open to visitors: with the rights of the user if there is one. */
export const openTransaction = (context: AnonymousContext | Context, tenantId: string): Context['transaction'] =>
  'user' in context ? context.transaction : (work) => context.services.database.transaction({ tenantId }, work)
