import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, tooMany } from '#contract/errors.ts'
import { formatDateTime } from '#contract/format/times.ts'
import { recordAudit } from '../audit/record.ts'
import { findMatchingHash } from '../identity/passwords.ts'
import { consume, perMinutes, perNetwork, refund } from '../identity/rate-limits.ts'
import { escapeHtml } from '../messages/escape-html.ts'
import { writePublicPage } from '../messages/public-page.ts'
import type { Services } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { listNetworks, toCustomerNetwork } from '../platform/network.ts'
import { createTimedCache } from '../platform/timed-cache.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { resolveTenant } from '../tenants/resolve.ts'
import { createLinkLimits } from './link-limits.ts'
import { findOpenLink, type OpenLink, recordOpened } from './link-rows.ts'
import { type SharedView, viewShared } from './shared-views.ts'
import { STRIP_STYLE } from './write-strip.ts'
import { recordWrongPassPhrase } from './wrong-pass-phrases.ts'

export const SHARED_PATH = '/shared'

/** A link may be open in many browsers; its content is built once in this time for all of them. */
export const CONTENT_CACHE = { lifetimeMs: 15_000, maxEntries: 200 }

const STYLE = `
input + [role=alert] { margin: 4px 0 0; font-size: 12px }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 8px; margin: 16px 0 }
dl div { padding: 12px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--card) }
dt { color: var(--quiet); font-size: 12px } dd { margin: 0; font-size: 18px; font-weight: 600; font-variant-numeric: tabular-nums }
.scroll { overflow-x: auto } table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums }
th { color: var(--quiet); font-weight: 400; text-align: left } th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line) }
th + th, td + td { text-align: right; white-space: nowrap } .words :is(th, td) { text-align: left }
th:first-child, td:first-child { min-width: 9em }
.online, .offline, .disabled, .no-data { font-weight: 600; white-space: nowrap }
.online { color: var(--up) } .offline { color: var(--down) } .disabled { color: var(--partly) } .no-data { color: var(--quiet) }
/* On a phone a terminal is a block: its name and status or availability, and the rest below. */
@media (max-width: 600px) { thead { display: none } tr { border-bottom: 1px solid var(--line); padding: 8px 0 }
td { padding: 0; border: 0 } td:first-child { font-weight: 500 } td:nth-child(n + 3) { color: var(--quiet); font-size: 12px }
.words tr { display: grid; grid-template-columns: 1fr auto; gap: 0 12px }
.words td:nth-child(n + 3) { grid-column: 1 / -1; white-space: normal }
.words td:nth-child(3)::before { content: 'Last seen ' } .words td:nth-child(5)::before { content: 'Alerts: ' }
.figures tr { display: flex; flex-wrap: wrap; gap: 0 12px }
.figures td:first-child { flex: 1 1 calc(100% - 90px) } .figures td:nth-child(2) { flex: 0 0 78px }
.figures td:nth-child(n + 3)::before { content: attr(data-name) ' ' } }`

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

/**
 * Attempts at the pass phrase of a link: from the sender's networks, the narrowest first, and from all senders together,
 * who have more, so that none of them locks out the others.
 */
const limitTries = (id: string, address: string) => [
  ...perNetwork(`share link ${id}`, address, 5, 15),
  perMinutes(`share link ${id}`, 50, 60),
]

const PASS_PHRASE_MAX = 200
const ASKS = 'Please enter the pass phrase.'

interface Shared {
  Params: { secret: string }
  Querystring: { tenant?: unknown }
}

const writeForm = (problem: string) => `
<form method="post"><label for="passPhrase">Pass phrase</label>
<input id="passPhrase" name="passPhrase" type="password" maxlength="${PASS_PHRASE_MAX}" required autofocus autocomplete="off" aria-describedby="problem">
<p id="problem" role="alert">${escapeHtml(problem)}</p>
<div><button>Show</button></div></form>`

/** Each opening is counted. The log gets one entry a day, because anyone with the link could flood it. */
const recordOpening = async (db: Db, tenantId: string, link: OpenLink, at: Date) => {
  await recordOpened(db, tenantId, link.id, at)
  if (link.lastOpenedAt?.toISOString().slice(0, 10) === at.toISOString().slice(0, 10)) return
  await recordAudit(db, tenantId, at, {
    performer: 'share link',
    action: 'share_link.open',
    performee: link.title,
    details: { link: link.id },
  })
}

/** The pages of links. They show one subject, without a session, scripts or links to anything else. */
export const registerSharedPages = async (
  app: FastifyInstance,
  { database, now }: Pick<Services, 'database' | 'now'>,
) => {
  const { countOpening, countGuess } = createLinkLimits()
  const cache = createTimedCache<(SharedView & { at: Date }) | undefined>(CONTENT_CACHE)

  const open = async ({ headers, params, query, ip }: FastifyRequest<Shared>) => {
    const named = typeof query.tenant === 'string' ? query.tenant : undefined
    const tenantId = await resolveTenant(database, parseTenantAddress(headers.host, named))
    if (tenantId === undefined) throw unknownRoute
    // One transaction, including the count of links without a pass phrase: anyone may send any number of these requests.
    const { config, timeZone, units, link } = await database.transaction({ tenantId }, async (db) => {
      const found = await findOpenLink(db, tenantId, params.secret, now())
      if (found?.passPhraseHash === null) await recordOpening(db, tenantId, found, now())
      return { ...(await getTenantConfiguration(db, tenantId)), link: found }
    })
    if (!link) countGuess(listNetworks(ip), now().getTime())
    return { tenantId, config, timeZone, units, link }
  }
  type Opened = Awaited<ReturnType<typeof open>>

  const send = (
    reply: FastifyReply,
    { config }: Opened,
    status: number,
    shown: { heading: string; content: string; footer?: string },
  ) => {
    const page = writePublicPage(config, { ...shown, style: STYLE + STRIP_STYLE })
    return reply.status(status).headers(HEADERS).type('text/html; charset=utf-8').send(page)
  }

  const sendGone = (reply: FastifyReply, opened: Opened) =>
    send(reply, opened, 404, {
      heading: 'This link is not valid.',
      content: '<p>It may have expired or been revoked.</p>',
    })

  const show = async (reply: FastifyReply, opened: Opened, link: OpenLink) => {
    const { tenantId, timeZone, units } = opened
    const at = now()
    // A view that is shared with a group shows what the group sees; everything else what its administrator sees.
    const renderContent = async () => {
      const view = await database.transaction(
        { tenantId, group: link.view?.group ?? undefined },
        (db) => viewShared(db, link, { tenantId, timeZone, units, now: at }),
        { isReadOnly: true },
      )
      return view && { at, ...view }
    }
    // The key includes the view, so that a changed view is built again.
    const rendered = await cache.get(JSON.stringify([tenantId, link.id, link.view]), at, renderContent)
    if (!rendered) return sendGone(reply, opened)
    const footer = `As of ${formatDateTime(rendered.at, timeZone)}. This link is valid until ${formatDateTime(link.expiresAt, timeZone)}.`
    return send(reply, opened, 200, { heading: rendered.heading, content: rendered.content, footer })
  }

  const isPassPhrase = async ({ tenantId }: Opened, link: OpenLink, given: string, address: string) => {
    const limits = limitTries(link.id, address)
    const network = toCustomerNetwork(address)
    const consumed = await database.transaction({ tenantId }, (db) => consume(db, tenantId, limits, now()))
    const stored = link.passPhraseHash ?? undefined
    const isRight = (await findMatchingHash([stored], given, { tenantId, network, lane: 'stranger' })) === 0
    if (isRight) await database.transaction({ tenantId }, (db) => refund(db, tenantId, consumed, limits.slice(0, 1)))
    return isRight
  }

  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { bodyLimit: 2_048, parseAs: 'string' },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.addHook<Shared>('onRequest', async ({ params, ip }, reply) => {
      const { headers, waitS } = countOpening(params.secret, listNetworks(ip), now().getTime())
      reply.headers(headers)
      if (waitS > 0) throw tooMany(waitS, (wait) => `Links were opened too often. Please wait ${wait} and try again.`)
    })
    scope.get<Shared>(`${SHARED_PATH}/:secret`, async (request, reply) => {
      const opened = await open(request)
      if (!opened.link) return sendGone(reply, opened)
      if (opened.link.passPhraseHash === null) return show(reply, opened, opened.link)
      return send(reply, opened, 200, { heading: ASKS, content: writeForm('') })
    })
    scope.post<Shared & { Body: unknown }>(`${SHARED_PATH}/:secret`, async (request, reply) => {
      const opened = await open(request)
      const { link } = opened
      if (!link) return sendGone(reply, opened)
      if (link.passPhraseHash === null) return show(reply, opened, link)
      const given = request.body instanceof URLSearchParams ? (request.body.get('passPhrase') ?? '') : ''
      const refuse = (status: number, problem: string) =>
        send(reply, opened, status, { heading: ASKS, content: writeForm(problem) })
      try {
        const isRight = await isPassPhrase(opened, link, given.slice(0, PASS_PHRASE_MAX), request.ip)
        const { tenantId } = opened
        const origin = { address: request.ip, userAgent: request.headers['user-agent'] ?? '' }
        await database.transaction({ tenantId }, (db) =>
          isRight
            ? recordOpening(db, tenantId, link, now())
            : recordWrongPassPhrase(db, tenantId, link, { now: now(), origin }),
        )
        if (!isRight) return refuse(403, 'This is not the pass phrase.')
        return await show(reply, opened, link)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 429) throw error
        reply.header('retry-after', error.retryAfterS)
        return refuse(429, error.message)
      }
    })
  })
}
