import type { FastifyInstance } from 'fastify'
import { formatLength } from '#contract/format/durations.ts'
import { formatDateTime } from '#contract/format/times.ts'
import { escapeHtml } from '../messages/escape-html.ts'
import { type MailBrand, toMailBrand } from '../messages/mail-brand.ts'
import type { Services } from '../platform/context.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { resolveTenant } from '../tenants/resolve.ts'
import { getTenantSettings } from '../tenants/tenant-settings.ts'
import { type PublicArea, type PublicIncident, readPublicStatus } from './read-status.ts'

const STATUS_PATH = '/status'

/** Anybody may request the page at any rate, so it is rendered once in this time for everybody. */
const CACHED_FOR_MS = 60_000

const stateWords: Record<PublicArea['state'], string> = {
  works: '● Works',
  'partly down': '◆ Partly down',
  down: '■ Down',
}

const writeIncident = ({ title, startedAt, endedAt }: PublicIncident, timeZone: string) => {
  const when = endedAt
    ? `${formatDateTime(startedAt, timeZone)} to ${formatDateTime(endedAt, timeZone)} (${formatLength((endedAt.getTime() - startedAt.getTime()) / 1000)})`
    : `Since ${formatDateTime(startedAt, timeZone)}`
  return `<li><b>${escapeHtml(title)}</b><br><span class="quiet">${escapeHtml(when)}</span></li>`
}

const writeIncidents = (incidents: readonly PublicIncident[], timeZone: string, none: string) =>
  incidents.length === 0
    ? `<p>${none}</p>`
    : `<ul>${incidents.map((incident) => writeIncident(incident, timeZone)).join('')}</ul>`

const writeAreas = (areas: readonly PublicArea[]) =>
  areas.length === 0
    ? ''
    : `<h2>Areas</h2><dl>${areas
        .map(
          ({ name, state }) =>
            `<div><dt>${escapeHtml(name)}</dt><dd class="${state.replace(' ', '-')}">${stateWords[state]}</dd></div>`,
        )
        .join('')}</dl>`

const writeStyle = (color: string) => `
:root { color-scheme: light dark }
body { margin: 0; border-top: 4px solid ${color}; background: #f8fafc; color: #0f172a; font: 14px/1.5 Inter, system-ui, sans-serif }
main { max-width: 720px; margin: 0 auto; padding: 24px 16px 48px; overflow-wrap: anywhere }
img { display: block; height: 36px; max-width: 240px }
h1 { margin: 24px 0 8px; font-size: 28px; line-height: 1.25 } h2 { margin: 28px 0 8px; font-size: 18px }
ul { padding: 0; list-style: none } li { margin: 0 0 12px } .quiet { color: #475569; font-size: 12px }
dl { margin: 0 } dl div { display: flex; justify-content: space-between; gap: 16px; padding: 8px 0; border-bottom: 1px solid #e2e8f0 }
dd { margin: 0; white-space: nowrap } .works { color: #15803d } .partly-down { color: #b45309 } .down { color: #b91c1c }
@media (prefers-color-scheme: dark) {
  body { background: #020617; color: #e2e8f0 } .quiet { color: #94a3b8 } dl div { border-color: #2b3a52 }
  .works { color: #4ade80 } .partly-down { color: #fbbf24 } .down { color: #f87171 } img { padding: 6px; border-radius: 6px; background: #fff } }`

interface Status {
  brand: MailBrand
  timeZone: string
  areas: readonly PublicArea[]
  incidents: readonly PublicIncident[]
  at: Date
}

const writePage = ({ brand, timeZone, areas, incidents, at }: Status) => {
  const { company, logo, color } = brand
  const name = escapeHtml(company)
  const present = incidents.filter(({ endedAt }) => endedAt === null)
  const past = incidents.filter(({ endedAt }) => endedAt !== null)
  const heading = present.length === 0 ? 'No incident is known.' : 'There is an incident.'
  const shown = logo?.startsWith('/') ? `<img src="${escapeHtml(logo)}" alt="${name}">` : `<p>${name}</p>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Status - ${name}</title><link rel="icon" href="data:,"><style>${writeStyle(color)}</style></head>
<body><main>${shown}<h1>${heading}</h1>
${present.length === 0 ? '' : writeIncidents(present, timeZone, '')}
${writeAreas(areas)}
<h2>The last 14 days</h2>
${writeIncidents(past, timeZone, present.length === 0 ? 'There was no incident.' : 'There was no other incident.')}
<p class="quiet">As of ${escapeHtml(formatDateTime(at, timeZone))}.</p>
</main></body>
</html>
`
}

/** A tenant's page for everybody: which areas work, and what happened. Only where the tenant has switched it on. */
export const registerStatusPage = (app: FastifyInstance, { database, now }: Pick<Services, 'database' | 'now'>) => {
  const cache = new Map<string, { atMs: number; page: Promise<string | undefined> }>()

  const makePage = (tenantId: string, at: Date) =>
    database.transaction(
      { tenantId },
      async (db) => {
        const { publicStatus } = await getTenantSettings(db, tenantId)
        if (!publicStatus) return undefined
        const { config, timeZone } = await getTenantConfiguration(db, tenantId)
        return writePage({ brand: toMailBrand(config), timeZone, at, ...(await readPublicStatus(db, tenantId, at)) })
      },
      { isReadOnly: true },
    )

  const getPage = (tenantId: string) => {
    const at = now()
    const known = cache.get(tenantId)
    if (known && at.getTime() - known.atMs < CACHED_FOR_MS && at.getTime() >= known.atMs) return known.page
    const page = makePage(tenantId, at)
    cache.set(tenantId, { atMs: at.getTime(), page })
    // A failure is not cached.
    page.catch(() => cache.delete(tenantId))
    return page
  }

  app.get<{ Querystring: { tenant?: unknown } }>(STATUS_PATH, async ({ headers, query }, reply) => {
    const named = typeof query.tenant === 'string' ? query.tenant : undefined
    const tenantId = await resolveTenant(database, parseTenantAddress(headers.host, named))
    const page = tenantId === undefined ? undefined : await getPage(tenantId)
    // The portal's page for whatever is not there.
    if (page === undefined) return reply.status(404).callNotFound()
    return reply
      .headers({ 'cache-control': `public, max-age=${CACHED_FOR_MS / 1000}`, vary: 'host' })
      .type('text/html; charset=utf-8')
      .send(page)
  })
}
