import { sql } from 'kysely'
import type pg from 'pg'
import { notFound } from '#contract/errors.ts'
import { formatIncidentTitle } from '#contract/incident-words.ts'
import { formatReportPeriod } from '#contract/report-words.ts'
import type { RouteInput } from '#contract/route.ts'
import type { ShareKind, shareLinks } from '#contract/share-links.ts'
import { recordAudit } from '../audit/record.ts'
import { refuseCommonPassword } from '../identity/password-rules.ts'
import { hashPassword, toBulkRequester } from '../identity/passwords.ts'
import { selectIncidents, toIncident } from '../incidents/read-incidents.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { findReport } from '../reports/stored-reports.ts'
import { findSharableView } from '../saved-views/view-rows.ts'
import { recordExport } from '../security-events/record.ts'
import { getLine } from '../service-lines/get-line.ts'
import { insertLink, listLinks, type Subject } from './link-rows.ts'
import { SHARED_PATH } from './shared-page.ts'

const nothing: Subject = { service_line_id: null, incident_id: null, report_id: null, saved_view_id: null }

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The subject of a link, its name, and for a view the group that it is shared with. */
const getSubject = async (
  db: Db,
  client: pg.PoolClient,
  { tenantId, user: { userId } }: Pick<Context, 'tenantId' | 'user'>,
  { kind, name }: { kind: ShareKind; name: string },
) => {
  if (kind === 'terminal') {
    const line = await getLine(client, tenantId, name)
    return { subject: { ...nothing, service_line_id: line.id }, title: line.custom_name ?? line.nickname, group: null }
  }
  if (!UUID.test(name)) throw notFound(`There is no such ${kind}.`)
  if (kind === 'incident') {
    const [row] = await selectIncidents(db, tenantId, sql`incident.id = ${name}`, sql``)
    if (!row) throw notFound('There is no such incident.')
    const title = formatIncidentTitle(toIncident(row, { seesAll: false }))
    return { subject: { ...nothing, incident_id: name }, title, group: null }
  }
  if (kind === 'view') {
    const view = await findSharableView(db, tenantId, name, userId)
    if (!view) throw notFound('There is no such view.')
    return { subject: { ...nothing, saved_view_id: name }, title: view.name, group: view.group }
  }
  const stored = await findReport(db, tenantId, name, { seesPlans: false })
  if (!stored) throw notFound('There is no such report.')
  const title = `${stored.name}: ${formatReportPeriod(stored.report)}`
  return { subject: { ...nothing, report_id: name }, title, group: null }
}

const DAY_MS = 86_400_000

const create = async (
  ctx: Context,
  { kind, subject: name, days, passPhrase }: RouteInput<typeof shareLinks.create>,
) => {
  const { tenantId, user, services } = ctx
  if (passPhrase !== null) await refuseCommonPassword(passPhrase, 'pass phrase')
  const hash = passPhrase === null ? null : await hashPassword(passPhrase, toBulkRequester(tenantId))
  return ctx.transaction(async (db, client) => {
    const now = services.now()
    const { subject, title, group } = await getSubject(db, client, ctx, { kind, name })
    const expiresAt = new Date(now.getTime() + days * DAY_MS)
    const { id, secret } = await insertLink(db, tenantId, {
      ...subject,
      kind,
      title,
      group_name: group,
      pass_phrase_hash: hash,
      created_at: now,
      created_by: user.userId,
      expires_at: expiresAt,
    })
    await recordAudit(db, tenantId, now, {
      performer: user.email,
      action: 'share_link.create',
      performee: title,
      details: { link: id, kind, expiresAt: expiresAt.toISOString(), hasPassPhrase: hash !== null },
    })
    // Whoever has the link reads it without signing in.
    await recordExport(db, ctx, `link to ${title}`)
    return { id, path: `${SHARED_PATH}/${secret}` }
  })
}

const revoke = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const now = services.now()
    const revoked = await db
      .updateTable('share_links')
      .set({ revoked_at: now })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('title')
      .executeTakeFirst()
    if (!revoked) throw notFound('There is no such link, or it was revoked already.')
    await recordAudit(db, tenantId, now, {
      performer: user.email,
      action: 'share_link.revoke',
      performee: revoked.title,
      details: { link: id },
    })
    return { message: 'The link is revoked.' }
  })

export const shareLinkHandlers: Handlers<typeof shareLinks> = {
  list: (ctx, { kind, subject: name }) =>
    ctx.transaction(async (db, client) => {
      const found =
        kind === undefined || name === undefined ? undefined : await getSubject(db, client, ctx, { kind, name })
      return { links: await listLinks(db, ctx.tenantId, ctx.services.now(), found?.subject) }
    }),
  create,
  revoke,
}
