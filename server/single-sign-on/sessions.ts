import { ApiError } from '#contract/errors.ts'
import { getSessionToRefresh, refreshSession as renewSession } from '../identity/refresh-session.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { isFromClockAhead, MAX_AHEAD_MS } from '../platform/clock-ahead.ts'
import type { AnonymousContext, Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { SealedColumn } from '../platform/sealed-columns.ts'
import { sha256 } from '../platform/secrets.ts'
import { type Connection, findEnabledConnection } from './connection.ts'
import { endSession } from './end-sessions.ts'
import { InvalidProviderResponse, ProviderRefusal, type ProviderTokens, renewTokens } from './provider.ts'
import { unreachable, withProvider } from './refuse.ts'

const MINUTE_MS = 60_000
/** Longer than a request to the provider can take. */
const CHECK_LEASE_MS = 30_000
/** Without a refresh token the provider cannot be queried, so the user must sign in there again after this time. */
const UNCHECKED_MINUTES = 8 * 60

const buildPurpose = (use: string) => (tenantId: string, sessionId: string) => `sso-${use}:${tenantId}:${sessionId}`
const refreshPurpose = buildPurpose('refresh')
export const idPurpose = buildPurpose('id-token')

const sealed = { table: 'sso_sessions', idColumn: 'session_id' } as const
export const sealedSsoTokens: readonly SealedColumn[] = [
  { ...sealed, column: 'refresh_token', buildPurpose: refreshPurpose },
  { ...sealed, column: 'id_token', buildPurpose: idPurpose },
]

/** When the user last authenticated: a session at the provider may be days old. */
const readProofTime = ({ auth_time }: ProviderTokens['claims'], now: Date) =>
  typeof auth_time === 'number' ? new Date(Math.min(auth_time * 1000, now.getTime())) : new Date(0)

const MAX_SESSION_ID_CHARACTERS = 500

const readProviderSession = ({ sid }: ProviderTokens['claims']) =>
  typeof sid === 'string' && sid.length <= MAX_SESSION_ID_CHARACTERS ? sid : null

/** Marks a session that was just started as one of single sign-on. */
export const recordSsoSession = async (
  db: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  tenantId: string,
  refresh: string,
  { claims, idToken, refreshToken }: ProviderTokens,
) => {
  const { id } = await db
    .updateTable('sessions')
    .set({ is_single_sign_on: true, confirmed_at: readProofTime(claims, now()) })
    .where('tenant_id', '=', tenantId)
    .where('refresh_hash', '=', sha256(refresh))
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('sso_sessions')
    .values({
      tenant_id: tenantId,
      session_id: id,
      issuer: claims.iss,
      subject: claims.sub,
      checked_at: now(),
      provider_session: readProviderSession(claims),
      refresh_token: refreshToken === undefined ? null : secrets.seal(refreshToken, refreshPurpose(tenantId, id)),
      id_token: secrets.seal(idToken, idPurpose(tenantId, id)),
    })
    .execute()
}

const findOpenSession = (db: Db, tenantId: string, refresh: string, now: Date) =>
  db
    .selectFrom('sso_sessions as sso')
    .innerJoin('sessions', (join) =>
      join.onRef('sessions.tenant_id', '=', 'sso.tenant_id').onRef('sessions.id', '=', 'sso.session_id'),
    )
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'sessions.tenant_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .select(['sso.session_id', 'sso.subject', 'sso.refresh_token', 'sso.checked_at', 'users.id as user_id'])
    .select('users.email')
    .where('sso.tenant_id', '=', tenantId)
    .where('sessions.refresh_hash', '=', sha256(refresh))
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()

type OpenSession = NonNullable<Awaited<ReturnType<typeof findOpenSession>>>

/**
 * Claims the check of a session: one request at a time, and none with a token that another request has just renewed.
 * Returns whether this request may check, or whether it was done in the meantime.
 */
const claimCheck = async (db: Db, tenantId: string, { session_id, checked_at }: OpenSession, now: Date) => {
  const claimed = await db
    .updateTable('sso_sessions')
    .set({ checking_until: new Date(now.getTime() + CHECK_LEASE_MS) })
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', session_id)
    .where((eb) =>
      eb.or([
        eb('checking_until', '<=', now),
        eb('checking_until', '>', new Date(now.getTime() + CHECK_LEASE_MS + MAX_AHEAD_MS)),
      ]),
    )
    .where('checked_at', '=', checked_at)
    .executeTakeFirst()
  if (claimed.numUpdatedRows === 1n) return 'claimed'
  const current = await db
    .selectFrom('sso_sessions')
    .select('checked_at')
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', session_id)
    .executeTakeFirst()
  return current && current.checked_at.getTime() !== checked_at.getTime() ? 'done' : 'under way'
}

const storeRenewed = (
  { database, secrets, now }: Services,
  tenantId: string,
  { session_id }: OpenSession,
  { idToken, refreshToken }: Awaited<ReturnType<typeof renewTokens>>,
) =>
  database.transaction({ tenantId }, (db) =>
    db
      .updateTable('sso_sessions')
      .set({
        checked_at: now(),
        checking_until: new Date(0),
        ...(refreshToken && { refresh_token: secrets.seal(refreshToken, refreshPurpose(tenantId, session_id)) }),
        ...(idToken && { id_token: secrets.seal(idToken, idPurpose(tenantId, session_id)) }),
      })
      .where('tenant_id', '=', tenantId)
      .where('session_id', '=', session_id)
      .execute(),
  )

/** How long ago the provider was asked. If that was by a clock that was ahead, nobody knows. */
const getCheckAgeMs = ({ checked_at }: OpenSession, now: Date) =>
  isFromClockAhead(checked_at, now) ? Number.POSITIVE_INFINITY : now.getTime() - checked_at.getTime()

/** Whether the provider still admits the user. It may be unreachable for the tenant's grace period. */
const checkAtProvider = async (
  context: AnonymousContext,
  connection: Connection,
  session: OpenSession,
  refreshToken: string,
) => {
  const { services } = context
  const { tenantId } = connection
  const longestMs = (connection.recheckMinutes + connection.graceMinutes) * MINUTE_MS
  const claim = await services.database.transaction({ tenantId }, (db) =>
    claimCheck(db, tenantId, session, services.now()),
  )
  const requireGrace = () => {
    if (getCheckAgeMs(session, services.now()) >= longestMs) throw unreachable()
  }
  if (claim === 'done') return
  if (claim === 'under way') return requireGrace()
  try {
    const { subject } = session
    const renewed = await withProvider(context, () => renewTokens(services, connection, { refreshToken, subject }))
    await storeRenewed(services, tenantId, session, renewed)
  } catch (error) {
    if (error instanceof ProviderRefusal) return endSession(context, tenantId, session, 'refused by the provider')
    // Not about the user: the provider is unreachable, or its response cannot be trusted.
    if (error instanceof ApiError || error instanceof InvalidProviderResponse) requireGrace()
    else throw error
  }
}

const checkSession = async (context: AnonymousContext, tenantId: string, session: OpenSession) => {
  const { database, secrets, now } = context.services
  const connection = await database.transaction({ tenantId }, (db) => findEnabledConnection(db, secrets, tenantId))
  if (!connection) return endSession(context, tenantId, session, 'single sign-on is switched off')
  const ageMs = getCheckAgeMs(session, now())
  if (session.refresh_token === null) {
    if (ageMs >= UNCHECKED_MINUTES * MINUTE_MS)
      await endSession(context, tenantId, session, 'the provider cannot be asked again')
    return
  }
  if (ageMs < connection.recheckMinutes * MINUTE_MS) return
  const refreshToken = secrets.open(session.refresh_token, refreshPurpose(tenantId, session.session_id))
  await checkAtProvider(context, connection, session, refreshToken)
}

/** A new access token, unless the provider of a single sign-on session no longer admits its user. */
export const refreshSession = async (context: AnonymousContext, input: { refresh: string }) => {
  const tenantId = requireTenantId(context)
  const { database, now } = context.services
  const { is_single_sign_on } = await getSessionToRefresh(context, input.refresh)
  if (!is_single_sign_on) return renewSession(context, input)
  const session = await database.transaction({ tenantId }, (db) => findOpenSession(db, tenantId, input.refresh, now()))
  if (session) await checkSession(context, tenantId, session)
  return renewSession(context, input)
}
