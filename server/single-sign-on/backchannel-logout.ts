import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#contract/errors.ts'
import { BACKCHANNEL_LOGOUT_PATH } from '#contract/sso-paths.ts'
import { refusePausedSender } from '../identity/check-sender.ts'
import { consume } from '../identity/rate-limits.ts'
import type { AnonymousContext, Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { readFacts } from '../platform/http/read-request.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { sha256 } from '../platform/secrets.ts'
import { resolveTenant } from '../tenants/resolve.ts'
import { findEnabledConnection } from './connection.ts'
import { endProviderSessions } from './end-sessions.ts'
import { type ProviderLogout, readLogoutToken } from './logout-token.ts'
import { InvalidProviderResponse } from './provider.ts'
import { notConfigured, withProvider } from './refuse.ts'
import { listSsoLimits } from './sign-on.ts'

const notValid = () => new ApiError(400, 'invalid_request', 'The logout token is not valid.')

/** Marks the token as used. Returns whether this is its first use. */
const useToken = async (db: Db, tenantId: string, { issuer, id, expiresAt }: ProviderLogout) => {
  const used = await db
    .insertInto('sso_logout_tokens')
    .values({ tenant_id: tenantId, token_hash: sha256(JSON.stringify([issuer, id])), expires_at: expiresAt })
    .onConflict((clash) => clash.doNothing())
    .returning('expires_at')
    .executeTakeFirst()
  return used !== undefined
}

const endAnnounced = async (context: AnonymousContext, tenantId: string, token: string) => {
  const { services } = context
  const { database, secrets, now } = services
  const connection = await database.transaction({ tenantId }, (db) => findEnabledConnection(db, secrets, tenantId))
  if (!connection) throw notConfigured()
  const logout = await withProvider(context, () => readLogoutToken(services, connection, token))
  await database.transaction({ tenantId }, async (db) => {
    if (!(await useToken(db, tenantId, logout))) throw new InvalidProviderResponse('It was used before.')
    await endProviderSessions(db, tenantId, logout, now())
  })
}

const checkSender = refusePausedSender(({ address }) => listSsoLimits(address))

/**
 * The endpoint to which a provider posts that a user has signed out there (OpenID Connect Back-Channel Logout 1.0).
 */
export const registerBackchannelLogout = async (app: FastifyInstance, services: Services) => {
  const { database, now } = services
  const contexts = new WeakMap<FastifyRequest, AnonymousContext & { tenantId: string }>()

  const identify = async (request: FastifyRequest, reply: FastifyReply) => {
    const { tenant } = request.query as { tenant?: unknown }
    const named = typeof tenant === 'string' ? tenant : undefined
    const tenantId = await resolveTenant(database, parseTenantAddress(request.headers.host, named))
    if (tenantId === undefined) throw unknownRoute
    const context = { services, ...readFacts(request, reply), tenantId }
    await checkSender(context)
    contexts.set(request, context)
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    // Requests from a rate-limited network are refused before the body is read.
    scope.post<{ Body: URLSearchParams | undefined }>(
      BACKCHANNEL_LOGOUT_PATH,
      { onRequest: identify },
      async (request) => {
        const context = contexts.get(request) as AnonymousContext & { tenantId: string }
        const { tenantId, address } = context
        try {
          await endAnnounced(context, tenantId, request.body?.get('logout_token') ?? '')
        } catch (error) {
          // Only failures count: a provider may send many logouts at once.
          await database.transaction({ tenantId }, (db) => consume(db, tenantId, listSsoLimits(address), now()))
          if (!(error instanceof InvalidProviderResponse)) throw error
          context.log.warn({ reason: error.message }, 'A logout token was refused.')
          throw notValid()
        }
        return { message: 'The sessions are ended.' }
      },
    )
  })
}
