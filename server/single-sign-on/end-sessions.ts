import { sql } from 'kysely'
import { unauthorized } from '#contract/errors.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import type { ProviderLogout } from './logout-token.ts'

/** A session, and the user whom it belongs to. */
interface UserSession {
  session_id: string
  user_id: number
  email: string
}

interface Ending {
  reason: string
  now: Date
  /** The context of the request, if it is the user's own. */
  origin?: AnonymousContext
}

/** Ends a session in a transaction that has locked its user, like everything that ends sessions. */
const writeEnd = async (
  db: Db,
  tenantId: string,
  { session_id, user_id, email }: UserSession,
  { reason, now, origin }: Ending,
) => {
  await db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', session_id)
    .where('ended_at', 'is', null)
    .execute()
  await recordSecurityEvent(db, tenantId, now, {
    kind: 'session_ended',
    account: email,
    userId: user_id,
    actor: 'single sign-on',
    details: { reason },
    ...(origin && { origin }),
  })
}

export const endSession = async (context: AnonymousContext, tenantId: string, session: UserSession, reason: string) => {
  const { database, now } = context.services
  await database.transaction({ tenantId }, async (db) => {
    await sql`select from users where tenant_id = ${tenantId} and id = ${session.user_id} for update`.execute(db)
    await writeEnd(db, tenantId, session, { reason, now: now(), origin: context })
  })
  throw unauthorized('Your session has ended. Please sign in again.')
}

/**
 * Ends the sessions that have ended at the provider: the one it names, or all of the user. A session whose provider id is
 * unknown ends with the user's others.
 */
export const endProviderSessions = async (
  db: Db,
  tenantId: string,
  { issuer, subject, providerSession }: Pick<ProviderLogout, 'issuer' | 'subject' | 'providerSession'>,
  now: Date,
) => {
  const isMeant =
    providerSession === undefined
      ? sql<boolean>`sso.subject = ${subject}`
      : sql<boolean>`(sso.provider_session = ${providerSession} and sso.subject = coalesce(${subject ?? null}, sso.subject)
          or sso.provider_session is null and sso.subject = ${subject ?? null})`
  const { rows } = await sql<UserSession>`
    select sso.session_id, users.id as user_id, users.email
    from sso_sessions as sso
    join sessions on sessions.tenant_id = sso.tenant_id and sessions.id = sso.session_id and sessions.ended_at is null
    join users on users.tenant_id = sessions.tenant_id and users.id = sessions.user_id
    where sso.tenant_id = ${tenantId} and sso.issuer = ${issuer} and ${isMeant}
    order by users.id, sso.session_id
    for update of users`.execute(db)
  for (const session of rows) await writeEnd(db, tenantId, session, { reason: 'signed out at the provider', now })
}
