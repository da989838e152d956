import type { FastifyInstance } from 'fastify'
import { writePublicPage } from '../messages/public-page.ts'
import type { Services } from '../platform/context.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import type { Secrets } from '../platform/secrets.ts'
import { getPageConfiguration } from '../tenants/configuration.ts'
import { resolveTenant } from '../tenants/resolve.ts'

const PATH = '/open'
const TOKEN = /^(\d{1,15})\.(\d{1,6})\.([\w-]{43})$/
const PURPOSE = 'open a page from a mail'
const DAY_MS = 86_400_000
const VALID_DAYS = 30

/** The target of a link: an incident by its id, or a terminal by its name. */
export interface LinkTarget {
  page: 'incidents' | 'terminal'
  name: string
}

const isPage = (page: string): page is LinkTarget['page'] => page === 'incidents' || page === 'terminal'

interface Recipient {
  tenantId: string
  userId: number
}

/** Signs the decoded name, because mail clients encode URLs differently. */
const describe = ({ tenantId, userId }: Recipient, untilDay: number, { page, name }: LinkTarget) =>
  JSON.stringify([tenantId, userId, untilDay, page, name])

export const formatPath = ({ page, name }: LinkTarget) => `/${page}/${encodeURIComponent(name)}`

/** Builds signed page URLs for a mail to a user. They prove that we sent the mail, and give no access without a session. */
export const createLinkSigner = ({ digest }: Secrets, recipient: Recipient, now: Date) => {
  const untilDay = Math.floor(now.getTime() / DAY_MS) + VALID_DAYS
  return (target: LinkTarget) => {
    const signature = digest(describe(recipient, untilDay, target), PURPOSE).toString('base64url')
    return `${PATH}/${recipient.userId}.${untilDay}.${signature}${formatPath(target)}`
  }
}

const readToken = ({ matchesDigest }: Secrets, tenantId: string, token: string, target: LinkTarget) => {
  const [, userId, untilDay, signature] = TOKEN.exec(token) ?? []
  if (userId === undefined || untilDay === undefined || signature === undefined) return undefined
  const read = { userId: Number(userId), untilDay: Number(untilDay) }
  const text = describe({ tenantId, userId: read.userId }, read.untilDay, target)
  return matchesDigest(Buffer.from(signature, 'base64url'), text, PURPOSE) ? read : undefined
}

interface OpenRequest {
  Params: { token: string; page: string; name: string }
  Querystring: { tenant?: unknown }
}

/**
 * Redirects from a mail to its incident or terminal. The URL fragment tells the sign-in page who the recipient is, and
 * browsers never send it to a server. An old link may have been forwarded, so it redirects without the fragment.
 */
export const registerMailLinks = (
  app: FastifyInstance,
  { database, secrets, now }: Pick<Services, 'database' | 'secrets' | 'now'>,
) =>
  app.get<OpenRequest>(`${PATH}/:token/:page/:name`, async ({ params, query, headers }, reply) => {
    const { token, page, name } = params
    const named = typeof query.tenant === 'string' ? query.tenant : undefined
    const tenantId = await resolveTenant(database, parseTenantAddress(headers.host, named))
    if (tenantId === undefined) throw unknownRoute
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    const target = isPage(page) ? { page, name } : undefined
    const link = target && readToken(secrets, tenantId, token, target)
    if (!link) {
      const { config } = await getPageConfiguration(database, tenantId)
      const content =
        '<p>It was changed, or we did not send it. <a href="/login">Sign in</a> to find what you need.</p>'
      const body = writePublicPage(config, { heading: 'This link is not valid.', content })
      return reply.status(400).type('text/html; charset=utf-8').send(body)
    }
    const isRecent = now().getTime() < link.untilDay * DAY_MS
    const user = isRecent
      ? await database.transaction({ tenantId }, (db) =>
          db
            .selectFrom('users')
            .select('email')
            .where('tenant_id', '=', tenantId)
            .where('id', '=', link.userId)
            .where('is_service', '=', false)
            .executeTakeFirst(),
        )
      : undefined
    const search = named === undefined ? '' : `?tenant=${encodeURIComponent(named)}`
    const recipient = user ? `#for=${encodeURIComponent(user.email)}` : ''
    return reply.redirect(`${formatPath(target)}${search}${recipient}`, 303)
  })
