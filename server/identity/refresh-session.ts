import { sql } from 'kysely'
import { unauthorized } from '#contract/errors.ts'
import type { AnonymousContext } from '../platform/context.ts'
import { createBatchedRead } from '../platform/database/batched-read.ts'
import { sha256 } from '../platform/secrets.ts'
import { refusePausedSender } from './check-sender.ts'
import { consume, perNetwork } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { signAccessToken } from './tokens.ts'

/** Refresh tokens cannot be guessed; this keeps guesses from loading the database. */
const listRefreshLimits = (address: string) => perNetwork('refresh', address, 100, 15)

const refusePaused = refusePausedSender(({ address }) => listRefreshLimits(address))

interface SentToken {
  hash: Buffer
  now: Date
}

type FoundSession = { id: string; user_id: number; is_single_sign_on: boolean } | { id: null }

const selectSessions = (tenantId: string, sent: readonly SentToken[]) => sql<FoundSession>`
  select session.id, session.user_id, session.is_single_sign_on
  from unnest(${sent.map(({ hash }) => hash)}::bytea[], ${sent.map(({ now }) => now)}::timestamptz[])
    with ordinality as sent (hash, now, place)
  left join sessions as session on session.tenant_id = ${tenantId} and session.refresh_hash = sent.hash
    and session.ended_at is null and session.expires_at > sent.now
  order by sent.place`

const readSessions = createBatchedRead<SentToken, FoundSession>((database, tenantId, sent) =>
  database.readInOneRoundTrip({ tenantId }, 'refresh-tokens', selectSessions(tenantId, sent)),
)

/**
 * The session of a refresh token. Only unknown tokens count and are limited: a user who shares a network with an attacker
 * stays signed in. Batched: guesses at one tenant then have one read in flight, and do not delay reads of other tenants.
 */
export const getSessionToRefresh = async (context: AnonymousContext, refresh: string) => {
  const tenantId = requireTenantId(context)
  const { database, now } = context.services
  const found = await readSessions(database, tenantId, { hash: sha256(refresh), now: now() })
  if (found.id !== null) return found
  await refusePaused(context)
  await database.transaction({ tenantId }, (db) => consume(db, tenantId, listRefreshLimits(context.address), now()))
  throw unauthorized('Your session has ended. Please sign in again.')
}

/** The refresh token does not rotate: every terminal opens in a new tab, and one tab refreshes for all. */
export const refreshSession = async (context: AnonymousContext, input: { refresh: string }) => {
  const tenantId = requireTenantId(context)
  const { secrets, now } = context.services
  const { id: sessionId, user_id: userId } = await getSessionToRefresh(context, input.refresh)
  return { access: await signAccessToken(secrets.tokenKeys[0], { tenantId, userId, sessionId }, now()) }
}
