import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TenantConfig } from '#contract/tenants.ts'
import { recordAudit } from '../audit/record.ts'
import { writePublicPage } from '../messages/public-page.ts'
import type { Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import type { Secrets } from '../platform/secrets.ts'
import { enqueue } from '../platform/worker/enqueue.ts'
import { getPageConfiguration } from '../tenants/configuration.ts'
import { findPages } from '../tenants/pages.ts'
import { resolveTenant } from '../tenants/resolve.ts'

const PATH = '/unsubscribe'
const TOKEN = /^(\d{1,15})\.([\w-]{43})$/

/** A link allows one action: to turn off this user's notifications by mail in this tenant. */
const sign = ({ digest }: Secrets, tenantId: string, userId: number) =>
  digest(`${tenantId} ${userId}`, 'unsubscribe from notifications').toString('base64url')

const readToken = ({ matchesDigest }: Secrets, tenantId: string, token: unknown): number | undefined => {
  const [, userId, signature] = TOKEN.exec(String(token)) ?? []
  if (userId === undefined || signature === undefined) return undefined
  const given = Buffer.from(signature, 'base64url')
  const isGenuine = matchesDigest(given, `${tenantId} ${userId}`, 'unsubscribe from notifications')
  return isGenuine ? Number(userId) : undefined
}

/** Mailing list headers (RFC 2919, 2369 and 8058) for mails that a user can turn off. */
export const buildListHeaders = async (
  db: Db,
  secrets: Secrets,
  tenantId: string,
  userId: number,
): Promise<Record<string, string>> => {
  const pages = await findPages(db, tenantId)
  const id = { 'List-Id': `<notifications.${pages ? new URL(pages).host : `${tenantId}.dishboard`}>` }
  if (!pages) return id
  return {
    ...id,
    'List-Unsubscribe': `<${pages}${PATH}?token=${userId}.${sign(secrets, tenantId, userId)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** Returns whether it was on before. */
const turnOff = async (db: Db, tenantId: string, userId: number, now: Date) => {
  const changed = await db
    .updateTable('notification_settings')
    .set({ by_email: false })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('by_email', '=', true)
    .returning('user_id')
    .executeTakeFirst()
  if (!changed) return
  const { email } = await db
    .selectFrom('users')
    .select('email')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await enqueue(db, 'notifications', tenantId)
  await recordAudit(db, tenantId, now, {
    performer: email,
    action: 'profile.unsubscribe',
    performee: email,
    details: { before: { by_email: true }, after: { by_email: false } },
  })
}

const PROFILE = '<p>You can change your notifications in <a href="/profile">your profile</a>.</p>'

/**
 * The target of a link in a mail, or of a mail client's unsubscribe button. A GET changes nothing, because mail scanners
 * follow links.
 */
export const registerUnsubscribe = async (
  app: FastifyInstance,
  { database, secrets, now }: Pick<Services, 'database' | 'secrets' | 'now'>,
) => {
  const read = async (request: FastifyRequest<{ Querystring: { token?: unknown; tenant?: unknown } }>) => {
    const { token, tenant } = request.query
    const named = typeof tenant === 'string' ? tenant : undefined
    const tenantId = await resolveTenant(database, parseTenantAddress(request.headers.host, named))
    if (tenantId === undefined) throw unknownRoute
    const { config } = await getPageConfiguration(database, tenantId)
    return { tenantId, userId: readToken(secrets, tenantId, token), config }
  }
  const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  const html = 'text/html; charset=utf-8'
  const refuse = (config: TenantConfig) =>
    writePublicPage(config, { heading: 'This link is not valid.', content: PROFILE })
  await app.register(async (scope) => {
    // The token is in the URL; the body only confirms the one-click unsubscribe.
    scope.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'multipart/form-data'],
      { bodyLimit: 1_024, parseAs: 'string' },
      (_request, _body, done) => done(null),
    )
    scope.get<{ Querystring: { token?: unknown } }>(PATH, async (request, reply) => {
      const { userId, config } = await read(request)
      const body =
        userId === undefined
          ? refuse(config)
          : writePublicPage(config, {
              heading: 'Turn off notifications by email?',
              content: `<form method="post"><button>Turn off</button></form>${PROFILE}`,
            })
      return reply
        .status(userId === undefined ? 400 : 200)
        .headers(headers)
        .type(html)
        .send(body)
    })
    scope.post<{ Querystring: { token?: unknown } }>(PATH, async (request, reply) => {
      const { tenantId, userId, config } = await read(request)
      if (userId === undefined) return reply.status(400).headers(headers).type(html).send(refuse(config))
      await database.transaction({ tenantId }, (db) => turnOff(db, tenantId, userId, now()))
      return reply
        .headers(headers)
        .type(html)
        .send(writePublicPage(config, { heading: 'You get no more notifications by email.', content: PROFILE }))
    })
  })
}
