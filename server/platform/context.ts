import type { FastifyBaseLogger } from 'fastify'
import type { FeatureItem } from '#contract/features.ts'
import type { Role } from '#contract/identity.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Config } from '../process/config.ts'
import type { Database, Db } from './database/database.ts'
import type { Secrets } from './secrets.ts'

/** What the process has, made once at start. */
export interface Services {
  config: Config
  database: Database
  secrets: Secrets
  fleet: Fleet
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

/** A request whose sender is known by address only. */
export interface AnonymousContext {
  services: Services
  tenantId: string | undefined
  address: string
  userAgent: string
  /** Names this attempt: a call that honours it is carried out once, however often it is sent. */
  idempotencyKey: string | undefined
  log: FastifyBaseLogger
}

/** A request of a signed-in person; where anybody may call, `'person' in context` tells who is one. */
export interface Context extends AnonymousContext {
  tenantId: string
  user: SignedInUser
  permissions: Permissions
  can: (item: FeatureItem) => boolean
  /** Sees the rows of the person's tenant; of its lines, a user sees those of their own group. */
  transaction: <T>(work: (db: Db) => Promise<T>) => Promise<T>
}

export type Permissions = Record<FeatureItem, string>
