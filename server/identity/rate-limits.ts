import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { ApiError } from '#contract/errors.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'

/** At most `max` of something in a time window, counted in the database, so that it holds across processes. */
export interface RateLimit {
  key: string
  max: number
  windowMinutes: number
}

/** An IPv6 customer has a whole network of 2^64 addresses; they count as one. */
export const toNetwork = (address: string) => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped || !isIPv6(address)) return mapped ?? address
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const before = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const groups =
    tail === undefined ? before : [...before, ...Array(8 - before.length - after.length).fill('0'), ...after]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

// One address guessing one account is stopped soon; a whole network guessing one account later, so that nobody can lock
// a stranger out from a single machine; one address guessing many accounts latest, as an office shares one.
export const signInLimits = (email: string, address: string) => ({
  pair: { key: `pair:${email.toLowerCase()}:${toNetwork(address)}`, max: 10, windowMinutes: 15 },
  account: { key: `account:${email.toLowerCase()}`, max: 50, windowMinutes: 15 },
  address: signInNetworkLimit(address),
})

export const signInNetworkLimit = (address: string): RateLimit => ({
  key: `address:${toNetwork(address)}`,
  max: 100,
  windowMinutes: 15,
})

export const codeNetworkLimit = (address: string): RateLimit => ({
  key: `code-address:${toNetwork(address)}`,
  max: 100,
  windowMinutes: 15,
})

/** Each code allows some tries, so the number of new codes must be limited even for a correct password. */
export const mailedCodeLimit = (userId: number): RateLimit => ({
  key: `mailed-code:${userId}`,
  max: 20,
  windowMinutes: 24 * 60,
})

export const passwordRequestLimits = (email: string, address: string): RateLimit[] => [
  { key: `forgotten:${email.toLowerCase()}`, max: 3, windowMinutes: 60 },
  passwordRequestNetworkLimit(address),
]

export const passwordRequestNetworkLimit = (address: string): RateLimit => ({
  key: `forgotten-address:${toNetwork(address)}`,
  max: 20,
  windowMinutes: 60,
})

/** Refresh tokens cannot be guessed; this stops guesses from loading the database. */
export const refreshLimit = (address: string): RateLimit => ({
  key: `refresh:${toNetwork(address)}`,
  max: 100,
  windowMinutes: 15,
})

const consumeOne = async (db: Db, tenantId: string, { key, max, windowMinutes }: RateLimit, now: Date) => {
  const { attempts } = await db
    .insertInto('sign_in_attempts')
    .values({ tenant_id: tenantId, key: sha256(key), window_start: now, attempts: 1 })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'key']).doUpdateSet((eb) => {
        const expired = sql<boolean>`${eb.ref('sign_in_attempts.window_start')} < ${now}::timestamptz - make_interval(mins => ${windowMinutes})`
        return {
          attempts: sql<number>`case when ${expired} then 1 else ${eb.ref('sign_in_attempts.attempts')} + 1 end`,
          window_start: sql<Date>`case when ${expired} then ${now}::timestamptz else ${eb.ref('sign_in_attempts.window_start')} end`,
        }
      }),
    )
    .returning('attempts')
    .executeTakeFirstOrThrow()
  return attempts <= max
}

/** Counts this attempt against every limit, before anything is compared. False: one of them is exceeded. */
export const consume = async (db: Db, tenantId: string, limits: readonly RateLimit[], now: Date) => {
  let allowed = true
  for (const limit of limits) allowed = (await consumeOne(db, tenantId, limit, now)) && allowed
  return allowed
}

/** Whether a limit is reached, without counting. */
export const isExhausted = async (db: Db, tenantId: string, { key, max, windowMinutes }: RateLimit, now: Date) => {
  const row = await db
    .selectFrom('sign_in_attempts')
    .select('attempts')
    .where('tenant_id', '=', tenantId)
    .where('key', '=', sha256(key))
    .where('window_start', '>=', new Date(now.getTime() - windowMinutes * 60_000))
    .executeTakeFirst()
  return row !== undefined && row.attempts >= max
}

const tooManyTries = () => new ApiError(429, 'too_many', 'Too many tries. Please wait a while.', 60)

/**
 * Refuses a sender whose network is at a limit, before the body of the request is read. Nothing is counted here: which
 * account a try is about stands in the body.
 */
export const refuseExhaustedNetwork =
  (toLimit: (address: string) => RateLimit, createError = tooManyTries) =>
  async ({ services, tenantId, address }: AnonymousContext) => {
    if (tenantId === undefined) return
    const { database, now } = services
    if (await database.transaction({ tenantId }, (db) => isExhausted(db, tenantId, toLimit(address), now())))
      throw createError()
  }

const toKeyColumns = (tenantId: string, { key }: RateLimit) => ({ tenant_id: tenantId, key: sha256(key) })

/** The attempt was no guess: it does not count. */
export const refund = (db: Db, tenantId: string, limit: RateLimit) =>
  db
    .updateTable('sign_in_attempts')
    .set((eb) => ({ attempts: sql<number>`greatest(0, ${eb.ref('attempts')} - 1)` }))
    .where((eb) => eb.and(toKeyColumns(tenantId, limit)))
    .execute()

export const resetLimit = (db: Db, tenantId: string, limit: RateLimit) =>
  db
    .deleteFrom('sign_in_attempts')
    .where((eb) => eb.and(toKeyColumns(tenantId, limit)))
    .execute()
