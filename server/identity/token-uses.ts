import { sql } from 'kysely'
import { ApiError, notForTokens, tooMany } from '#contract/errors.ts'
import { isFromClockAhead } from '../platform/clock-ahead.ts'
import type { SenderToken, Services, Session } from '../platform/context.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { isStorageFull } from '../platform/database/errors.ts'
import { describeLimit } from '../platform/http/rate-limit-headers.ts'
import { toCustomerNetwork } from '../platform/network.ts'
import { type RequestOrigin, recordSecurityEvent } from '../security-events/record.ts'

const WINDOW_MS = 60_000
/** A process reserves a tenth of the limit at a time, so that most requests are counted without the database. */
const SHARES = 10
const MAX_NETWORKS = 50
/** The number of tokens that a process caches. */
const MAX_REMEMBERED = 10_000
const REFUSAL_INTERVAL_MS = 60_000

interface TokenUse {
  windowStartMs: number
  /** Granted to this process in this window. */
  granted: number
  used: number
  /** Reserved by all processes. */
  reserved: number
  networks: Set<string>
  refusedMs: number
  reserving: Promise<void> | undefined
}

const processes = new WeakMap<Database, Map<string, TokenUse>>()

const findUse = (database: Database, tokenId: string): TokenUse => {
  const uses = processes.get(database) ?? new Map<string, TokenUse>()
  processes.set(database, uses)
  const use = uses.get(tokenId) ?? {
    windowStartMs: 0,
    granted: 0,
    used: 0,
    reserved: 0,
    networks: new Set(),
    refusedMs: 0,
    reserving: undefined,
  }
  // Keeps the least recently used first, for eviction.
  uses.delete(tokenId)
  uses.set(tokenId, use)
  if (uses.size > MAX_REMEMBERED) uses.delete(uses.keys().next().value as string)
  return use
}

interface UsedToken {
  id: string
  name: string
  userId: number
  email: string
}

interface UseRow {
  window_start: Date
  reserved: number
  known_networks: string[]
}

/** Reserves requests from the limit of this window, and records where and when the token was used. Returns how many. */
const reserve = async (
  db: Db,
  { tenantId, token, limit, windowStart }: { tenantId: string; token: UsedToken; limit: number; windowStart: Date },
  origin: RequestOrigin,
  now: Date,
) => {
  const { rows } = await sql<UseRow>`
    select window_start, reserved, known_networks from api_token_uses
    where tenant_id = ${tenantId} and token_id = ${token.id} for update`.execute(db)
  const [row] = rows
  // It was deleted a moment ago.
  if (!row) return { share: 0, reserved: limit }
  // Another process's clock may be a little ahead.
  const isLater = row.window_start > windowStart && !isFromClockAhead(row.window_start, windowStart)
  const start = isLater ? row.window_start : windowStart
  const before = row.window_start.getTime() === start.getTime() ? row.reserved : 0
  const share = Math.min(Math.ceil(limit / SHARES), limit - before)
  const network = toCustomerNetwork(origin.address)
  const isNew = !row.known_networks.includes(network)
  const networks = isNew ? [...row.known_networks, network].slice(-MAX_NETWORKS) : row.known_networks
  await db
    .updateTable('api_token_uses')
    .set({
      window_start: start,
      reserved: before + share,
      last_used_at: now,
      last_address: origin.address,
      known_networks: networks,
    })
    .where('tenant_id', '=', tenantId)
    .where('token_id', '=', token.id)
    .execute()
  if (isNew && row.known_networks.length > 0)
    await recordSecurityEvent(db, tenantId, now, {
      kind: 'token_new_address',
      account: token.email,
      userId: token.userId,
      origin,
      details: { token: token.name },
    })
  return { share, reserved: before + share }
}

/**
 * Counts a request against the limit of its token, across processes, and reports how many are left. Throws 429 when none
 * are left in this minute.
 */
const consumeRequest = async (
  { database, now, config }: Services,
  tenantId: string,
  token: UsedToken,
  origin: RequestOrigin,
  setHeaders: (headers: Record<string, string>) => void,
) => {
  const limit = config.tokenRequestsPerMinute
  const nowMs = now().getTime()
  const windowStartMs = Math.floor(nowMs / WINDOW_MS) * WINDOW_MS
  const use = findUse(database, token.id)
  if (use.windowStartMs !== windowStartMs) Object.assign(use, { windowStartMs, granted: 0, used: 0, reserved: 0 })
  const network = toCustomerNetwork(origin.address)
  const isExhausted = () => use.used >= use.granted && use.reserved >= limit

  const reserveOnce = async () => {
    const window = { tenantId, token, limit, windowStart: new Date(windowStartMs) }
    try {
      const { share, reserved } = await database.transaction({ tenantId }, (db) => reserve(db, window, origin, now()), {
        withAsyncCommit: true,
      })
      use.granted += share
      use.reserved = reserved
    } catch (error) {
      // On a full disk a token can still read. The limit then applies per process.
      if (!isStorageFull(error as Error)) throw error
      use.granted = limit
      use.reserved = limit
    }
    use.networks.add(network)
    if (use.networks.size > MAX_NETWORKS) use.networks = new Set([network])
  }

  while ((use.used >= use.granted && !isExhausted()) || !use.networks.has(network)) {
    use.reserving ??= reserveOnce().finally(() => {
      use.reserving = undefined
    })
    await use.reserving
  }
  const resetS = Math.ceil((windowStartMs + WINDOW_MS - nowMs) / 1000)
  const isRefused = isExhausted()
  if (!isRefused) use.used++
  setHeaders(describeLimit(limit, limit - use.reserved + use.granted - use.used, resetS))
  if (isRefused) throw tooMany(resetS, (wait) => `This token has sent too many requests. Please wait ${wait}.`)
}

/** Each process records a refusal at most once a minute, because refused requests can arrive at any rate. */
export const recordRefusal = async (
  { database, now }: Services,
  tenantId: string,
  { id, name, userId, email }: UsedToken,
  reason: 'revoked' | 'expired' | 'address' | 'scope',
  origin: RequestOrigin,
) => {
  const use = findUse(database, id)
  const nowMs = now().getTime()
  if (Math.abs(nowMs - use.refusedMs) < REFUSAL_INTERVAL_MS) return
  use.refusedMs = nowMs
  const event = { account: email, userId, origin, details: { token: name, reason } }
  await database
    .transaction({ tenantId }, (db) => recordSecurityEvent(db, tenantId, now(), { kind: 'token_refused', ...event }))
    .catch((error: Error) => {
      if (!isStorageFull(error)) throw error
    })
}

const requireScope = (scopes: readonly string[] | undefined, token: SenderToken) => {
  if (scopes?.length === 0) throw notForTokens()
  if (scopes && !scopes.some((scope) => (token.scopes as readonly string[]).includes(scope)))
    throw new ApiError(403, 'token_scope', `This token lacks the scope ${scopes[0]}.`)
}

/** Throws unless the session's token has one of the scopes and is within its rate limit. */
export const checkTokenUse = async (
  services: Services,
  { tenantId, user }: Session,
  scopes: readonly string[] | undefined,
  origin: RequestOrigin,
  setHeaders: (headers: Record<string, string>) => void,
) => {
  const { token, userId, email } = user
  if (!token) return
  const used = { id: token.id, name: token.name, userId, email }
  await consumeRequest(services, tenantId, used, origin, setHeaders)
  try {
    requireScope(scopes, token)
  } catch (error) {
    await recordRefusal(services, tenantId, used, 'scope', origin)
    throw error
  }
}
