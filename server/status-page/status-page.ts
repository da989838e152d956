import type { FastifyInstance } from 'fastify'
import { formatLength } from '#contract/format/durations.ts'
import { formatCount } from '#contract/format/numbers.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { TenantConfig } from '#contract/tenants.ts'
import { escapeHtml } from '../messages/escape-html.ts'
import { writePublicPage } from '../messages/public-page.ts'
import type { Services } from '../platform/context.ts'
import { createBatchedRead } from '../platform/database/batched-read.ts'
import type { Database } from '../platform/database/database.ts'
import { createLastKnown } from '../platform/database/last-known.ts'
import { parseTenantAddress } from '../platform/http/tenant-address.ts'
import { createTimedCache } from '../platform/timed-cache.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { resolveTenant } from '../tenants/resolve.ts'
import { getTenantSettings } from '../tenants/tenant-settings.ts'
import { type PublicArea, type PublicIncident, readPublicStatus } from './read-status.ts'

const STATUS_PATH = '/status'

/** Coalesces concurrent reads: visitors may request the page at any rate. */
const readSwitch = createBatchedRead<undefined, boolean>(async (database, tenantId, requests) => {
  const { publicStatus } = await database.transaction({ tenantId }, (db) => getTenantSettings(db, tenantId))
  return requests.map(() => publicStatus)
})

const readLastKnown = createLastKnown<boolean>()

/** Not cached, so that switching takes effect at once in every process. */
const isPublic = (database: Database, tenantId: string) =>
  readLastKnown(database, tenantId, () => readSwitch(database, tenantId, undefined))

/** Anyone may request the page at any rate, so it is rendered once in this time for everyone. */
const CACHED_FOR_MS = 60_000
const MAX_CACHED = 1_000

const stateWords: Record<PublicArea['state'], string> = {
  works: '● Works',
  'partly down': '◆ Partly down',
  down: '■ Down',
  'not observed': '○ Not observed',
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
dd { margin: 0; white-space: nowrap; font-weight: 500 } .works { color: var(--up) } .partly-down { color: var(--partly) } .down { color: var(--down) } .not-observed { color: var(--quiet) }`

const LATE = 'Data of some terminals does not reach us at present, so nobody can say whether they work.'

interface Status {
  config: TenantConfig
  timeZone: string
  areas: readonly PublicArea[]
  incidents: readonly PublicIncident[]
  /** Whether data of all accounts reaches us. */
  isObserved: boolean
  at: Date
}

/** Without an incident of an area, single terminals may be down, or data late: the page then does not say that all is well. */
const findHeading = (
  present: readonly PublicIncident[],
  { areas, isObserved }: Pick<Status, 'areas' | 'isObserved'>,
) => {
  if (present.length > 0)
    return present.length === 1 ? 'There is an incident.' : `There are ${formatCount(present.length)} incidents.`
  if (areas.some(({ state }) => state === 'partly down' || state === 'down')) return 'Some terminals are down.'
  return isObserved ? 'No incident is known.' : 'Not all terminals are observed.'
}

const writePage = ({ config, timeZone, areas, incidents, isObserved, at }: Status) => {
  const present = incidents.filter(({ endedAt }) => endedAt === null)
  const past = incidents.filter(({ endedAt }) => endedAt !== null)
  return writePublicPage(config, {
    heading: findHeading(present, { areas, isObserved }),
    content: `${isObserved ? '' : `<p>${LATE}</p>`}${present.length === 0 ? '' : writeIncidents(present, timeZone, '')}
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
  const cache = createTimedCache<string>({ lifetimeMs: CACHED_FOR_MS, maxEntries: MAX_CACHED })

  const makePage = (tenantId: string, at: Date) =>
    database.transaction(
      { tenantId },
      async (db) => {
        const { config, timeZone } = await getTenantConfiguration(db, tenantId)
        return writePage({ config, timeZone, at, ...(await readPublicStatus(db, tenantId, at)) })
      },
      { isReadOnly: true },
    )

  /** Cached by tenant: visitors choose the rest of the address, and could make a page for each that they invent. */
  const getPage = (tenantId: string) => {
    const at = now()
    return cache.get(tenantId, at, () => makePage(tenantId, at))
  }

  app.get<{ Querystring: { tenant?: unknown } }>(STATUS_PATH, async ({ headers, query }, reply) => {
    const named = typeof query.tenant === 'string' ? query.tenant : undefined
    const tenantId = await resolveTenant(database, parseTenantAddress(headers.host, named))
    // The portal's not-found page.
    if (tenantId === undefined || !(await isPublic(database, tenantId))) return reply.status(404).callNotFound()
    const page = await getPage(tenantId)
    return reply
      .headers({ 'cache-control': `public, max-age=${CACHED_FOR_MS / 1000}`, vary: 'host' })
      .type('text/html; charset=utf-8')
      .send(page)
  })
}
