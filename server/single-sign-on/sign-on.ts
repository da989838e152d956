import { unauthorized } from '#contract/errors.ts'
import type { SignIn } from '#contract/identity.ts'
import { createRandomPassword, hashPassword, toBulkRequester } from '../identity/passwords.ts'
import { consume, perNetwork } from '../identity/rate-limits.ts'
import { requireSessionId } from '../identity/require-session.ts'
import { requireTenantId } from '../identity/require-tenant.ts'
import { startSession } from '../identity/sessions.ts'
import { type AnonymousContext, type Context, openTransaction } from '../platform/context.ts'
import { admitUser, isLinked, isLinkedTo } from './accounts.ts'
import { createAttempt, takeAttempt } from './attempts.ts'
import { type Connection, findEnabledConnection } from './connection.ts'
import { buildAuthorizationAddress, exchangeCode } from './provider.ts'
import { notConfigured, recordRefusals, SsoRefusal, withProvider } from './refuse.ts'
import { recordSsoSession } from './sessions.ts'

/** An office shares one address. The limit is on work for requests that lead nowhere. */
export const listSsoLimits = (address: string) => perNetwork('sso', address, 200, 15)

/** The provider's URL to which the page redirects the browser. */
export const startSignOn = async (
  context: AnonymousContext,
  { confirm = false }: { confirm?: boolean | undefined },
) => {
  const tenantId = requireTenantId(context)
  const { services, cookies, origin, address } = context
  const { database, secrets, now } = services
  const { connection, attempt } = await database.transaction({ tenantId }, async (db) => {
    const connection = await findEnabledConnection(db, secrets, tenantId)
    if (!connection) throw notConfigured()
    await consume(db, tenantId, listSsoLimits(address), now())
    const request = { connection, origin, isConfirmation: confirm, now: now() }
    return { connection, attempt: await createAttempt(db, secrets, cookies, request) }
  })
  return { location: await withProvider(context, () => buildAuthorizationAddress(services, connection, attempt)) }
}

const isSameClient = (one: Pick<Connection, 'issuer' | 'clientId'>, other: Pick<Connection, 'issuer' | 'clientId'>) =>
  one.issuer === other.issuer && one.clientId === other.clientId

/** The provider's claims about the user who returned from it. */
const readProviderResponse = async (
  context: AnonymousContext | Context,
  tenantId: string,
  query: string,
  isConfirmation: boolean,
) => {
  const { services } = context
  const { secrets, now } = services
  const parameters = new URLSearchParams(query)
  const { connection, attempt } = await openTransaction(
    context,
    tenantId,
  )(async (db) => {
    await consume(db, tenantId, listSsoLimits(context.address), now())
    const given = { state: parameters.get('state') ?? '', isConfirmation, now: now() }
    return {
      attempt: await takeAttempt(db, secrets, { cookies: context.cookies, tenantId }, given),
      connection: await findEnabledConnection(db, secrets, tenantId),
    }
  })
  if (!attempt) throw new SsoRefusal('expired')
  if (!connection || !isSameClient(connection, attempt)) throw new SsoRefusal('changed')
  return {
    connection,
    tokens: await withProvider(context, () => exchangeCode(services, connection, attempt, parameters)),
  }
}

/** Signs in the user who returned from the provider, like a sign-in with a password. */
export const finishSignOn = async (context: AnonymousContext, { query }: { query: string }): Promise<SignIn> => {
  const tenantId = requireTenantId(context)
  const { services } = context
  const { database, secrets } = services
  return recordRefusals(context, tenantId, async () => {
    const { connection, tokens } = await readProviderResponse(context, tenantId, query, false)
    const { claims } = tokens
    const isKnown = await database.transaction({ tenantId }, (db) => isLinked(db, tenantId, claims))
    // A new account gets a random password that is never revealed. Hashing is slow and stays outside the
    // transaction.
    const passwordHash = isKnown ? undefined : await hashPassword(createRandomPassword(), toBulkRequester(tenantId))
    const signedIn = await database.transaction({ tenantId }, async (db) => {
      const current = await findEnabledConnection(db, secrets, tenantId)
      if (!current || !isSameClient(current, connection)) throw new SsoRefusal('changed')
      const user = await admitUser(db, context, tenantId, claims, { rules: current.rules, passwordHash })
      const session = await startSession(db, context, tenantId, user, { method: 'single sign-on' })
      await recordSsoSession(db, services, tenantId, session.refresh, tokens)
      return session
    })
    return { ...signedIn, requires2FA: false, newUser: false }
  })
}

/** Confirms the session of a user who has just reauthenticated at the provider. */
export const confirmAtProvider = async (ctx: Context, { query }: { query: string }) => {
  const { tenantId, user, services } = ctx
  return recordRefusals(ctx, tenantId, async () => {
    const { tokens } = await readProviderResponse(ctx, tenantId, query, true)
    await ctx.transaction(async (db) => {
      if (!(await isLinkedTo(db, tenantId, tokens.claims, user.userId))) throw new SsoRefusal('not_linked', user.email)
      const confirmed = await db
        .updateTable('sessions')
        .set({ confirmed_at: services.now() })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', requireSessionId(ctx))
        .executeTakeFirst()
      if (confirmed.numUpdatedRows !== 1n) throw unauthorized()
    }, 'self')
    return { message: 'You are confirmed.' }
  })
}
