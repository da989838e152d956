import type { FastifyInstance } from 'fastify'
import { formatLength } from '#contract/format/durations.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { TenantConfig } from '#contract/tenants.ts'
import { escapeHtml } from '../messages/escape-html.ts'
import { writePublicPage } from '../messages/public-page.ts'
import type { Services } from '../platform/context.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { resolveTenant } from '../tenants/resolve.ts'
import { getTenantSettings } from '../tenants/tenant-settings.ts'
import { type PublicArea, type PublicIncident, readPublicStatus } from './read-status.ts'

const STATUS_PATH = '/status'

/** Anyone may request the page at any rate, so it is rendered once in this time for everyone. */
const CACHED_FOR_MS = 60_000
const MAX_CACHED = 1_000

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

const STYLE = `
main, header, footer { max-width: 720px } ul { padding: 0; list-style: none } li { margin: 0 0 12px }
dl { margin: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--card) }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 8px 16px } dl div + div { border-top: 1px solid var(--line) }
dd { margin: 0; white-space: nowrap; font-weight: 500 } .works { color: var(--up) } .partly-down { color: var(--partly) } .down { color: var(--down) }`

interface Status {
  config: TenantConfig
  timeZone: string
  areas: readonly PublicArea[]
  incidents: readonly PublicIncident[]
  at: Date
}

/** Single terminals that are down are not an incident of an area, but the page then does not say that all is well. */
const findHeading = (present: readonly PublicIncident[], areas: readonly PublicArea[]) => {
  if (present.length > 0) return 'There is an incident.'
  return areas.every(({ state }) => state === 'works') ? 'No incident is known.' : 'Some terminals are down.'
}

const writePage = ({ config, timeZone, areas, incidents, at }: Status) => {
  const present = incidents.filter(({ endedAt }) => endedAt === null)
  const past = incidents.filter(({ endedAt }) => endedAt !== null)
  return writePublicPage(config, {
    heading: findHeading(present, areas),
    content: `${present.length === 0 ? '' : writeIncidents(present, timeZone, '')}
${writeAreas(areas)}
<h2>The last 14 days</h2>
${writeIncidents(past, timeZone, present.length === 0 ? 'There was no incident.' : 'There was no other incident.')}`,
    style: STYLE,
    footer: `As of ${escapeHtml(formatDateTime(at, timeZone))}.`,
    isIndexed: true,
  })
}

/** A tenant's public page: which areas work, and recent incidents. Only if the tenant has turned it on. */
export const registerStatusPage = (app: FastifyInstance, { database, now }: Pick<Services, 'database' | 'now'>) => {
  const cache = new Map<string, { atMs: number; page: Promise<string | undefined> }>()

  const makePage = (tenantId: string, at: Date) =>
    database.transaction(
      { tenantId },
      async (db) => {
        const { publicStatus } = await getTenantSettings(db, tenantId)
        if (!publicStatus) return undefined
        const { config, timeZone } = await getTenantConfiguration(db, tenantId)
        return writePage({ config, timeZone, at, ...(await readPublicStatus(db, tenantId, at)) })
      },
      { isReadOnly: true },
    )

  /** Cached by tenant: visitors choose the rest of the address, and could make a page for each that they invent. */
  const getPage = (tenantId: string) => {
    const at = now()
    const known = cache.get(tenantId)
    if (known && at.getTime() - known.atMs < CACHED_FOR_MS && at.getTime() >= known.atMs) return known.page
    const page = makePage(tenantId, at)
    cache.delete(tenantId)
    cache.set(tenantId, { atMs: at.getTime(), page })
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value as string)
    // Failures are not cached.
    page.catch(() => cache.delete(tenantId))
    return page
  }

  app.get<{ Querystring: { tenant?: unknown } }>(STATUS_PATH, async ({ headers, query }, reply) => {
    const named = typeof query.tenant === 'string' ? query.tenant : undefined
    const tenantId = await resolveTenant(database, parseTenantAddress(headers.host, named))
    const page = tenantId === undefined ? undefined : await getPage(tenantId)
    // The portal's not-found page.
    if (page === undefined) return reply.status(404).callNotFound()
    return reply
      .headers({ 'cache-control': `public, max-age=${CACHED_FOR_MS / 1000}`, vary: 'host' })
      .type('text/html; charset=utf-8')
      .send(page)
  })
}
