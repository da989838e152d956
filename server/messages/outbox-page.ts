import type { FastifyInstance } from 'fastify'
import { formatExactTime } from '#contract/format/times.ts'
import type { Services } from '../platform/context.ts'
import { unknownRoute } from '../platform/http/http-errors.ts'
import { isLocalRequest } from '../platform/http/local-request.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { resolveTenant } from '../tenants/resolve.ts'
import { escapeHtml } from './escape-html.ts'
import { type ListedMessage, listNewestMessages, listTenantIds } from './outbox-queries.ts'
import { writeFont } from './public-page.ts'
import { openBody } from './sealed-body.ts'

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src 'self' data: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const STYLE = `
:root { color-scheme: light dark; --ink: #0f172a; --quiet: #475569; --line: #e2e8f0; --card: #fff; --ground: #f8fafc; --accent: #0369a1 }
@media (prefers-color-scheme: dark) { :root { --ink: #e2e8f0; --quiet: #94a3b8; --line: #1c2a4d; --card: #0c1631; --ground: #050b1e; --accent: #38bdf8 } }
body { margin: 0; background: var(--ground); color: var(--ink); font: 14px/1.5 Inter, system-ui, sans-serif }
main { max-width: 760px; margin: 0 auto; padding: 24px 16px }
h1, h2 { font-weight: 600 } h1 { margin: 0; font-size: 28px; line-height: 1.2 } h2 { margin: 0; font-size: 18px; line-height: 1.4; overflow-wrap: anywhere }
p { margin: 4px 0 16px; color: var(--quiet) } a, summary { color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
nav { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 12px 0; border-bottom: 1px solid var(--line); margin-bottom: 16px }
nav a { padding: 4px 0; min-height: 24px } nav [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none }
article { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px; margin-bottom: 16px }
pre { margin: 0 0 12px; padding: 12px; border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; font: 12px/1.5 'JetBrains Mono', ui-monospace, monospace }
iframe { width: 100%; height: 520px; margin-top: 12px; border: 1px solid var(--line); border-radius: 8px; background: #fff }
summary { cursor: pointer; padding: 4px 0 }`

const article = ({ channel, recipient, reply_to, subject, text, html, created_at }: ListedMessage) => `
<article>
  <h2>${escapeHtml(subject || 'SMS')}</h2>
  <p>${channel === 'sms' ? 'SMS' : 'Email'} to <strong>${escapeHtml(recipient)}</strong>${reply_to === null ? '' : `, replies to ${escapeHtml(reply_to)}`} · <time datetime="${created_at.toISOString()}">${formatExactTime(created_at, 'UTC')}</time></p>
  <pre tabindex="0">${escapeHtml(text)}</pre>
  ${html === null ? '' : `<details><summary>As the recipient sees it</summary><iframe sandbox="allow-same-origin" title="${escapeHtml(subject)}" srcdoc="${escapeHtml(html)}"></iframe></details>`}
</article>`

const link = (tenantId: string, shown: string) =>
  `<a href="/outbox?tenant=${tenantId}"${tenantId === shown ? ' aria-current="page"' : ''}>${tenantId}</a>`

const page = (tenantIds: string[], shown: string, messages: ListedMessage[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outbox of ${shown}</title><link rel="icon" href="data:,"><style>${writeFont()}${STYLE}</style>
</head>
<body>
<main>
<h1>Outbox</h1>
<p>This page lists what the demo would send while no mail server or SMS gateway is set. It can be opened only on this machine. Reload it to see new messages.</p>
<nav aria-label="Tenants">${tenantIds.map((id) => link(id, shown)).join('')}</nav>
${messages.map(article).join('') || '<p>Nothing was sent yet. Sign in as somebody who asks for a code, or ask for a new password.</p>'}
</main>
</body>
</html>
`

/** Serves the demo's messages to the user at this machine. The page does not exist if mail is really sent. */
export const registerOutbox = (app: FastifyInstance, { config, database, secrets }: Services) => {
  const channels = [
    ...(config.smtpUrl === undefined ? (['email'] as const) : []),
    ...(config.sms === undefined ? (['sms'] as const) : []),
  ]
  if (!config.demo || channels.length === 0) return
  app.get<{ Querystring: { tenant?: unknown } }>('/outbox', async (request, reply) => {
    if (!isLocalRequest(request)) throw unknownRoute
    const named = typeof request.query.tenant === 'string' ? request.query.tenant : undefined
    // Another site's host name that resolves to this machine must not be able to read this page (DNS rebinding).
    const ownTenant = await resolveTenant(database, parseTenantAddress(request.headers.host, undefined))
    const tenantIds = ownTenant === undefined ? await listTenantIds(database) : [ownTenant]
    const shown = tenantIds.find((id) => id === named) ?? tenantIds[0]
    if (shown === undefined) throw unknownRoute
    const messages = await listNewestMessages(database, shown, channels)
    const opened = messages.map((message) => openBody(secrets, shown, message) ?? message)
    return reply
      .headers({ 'content-security-policy': CONTENT_POLICY, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page(tenantIds, shown, opened))
  })
}
