import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ViewPage, ViewState } from '#contract/saved-views.ts'
import type { ShareKind, ShareLink } from '#contract/share-links.ts'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'

/** The columns that identify the subject of a link. */
export interface Subject {
  service_line_id: number | null
  incident_id: string | null
  report_id: string | null
  saved_view_id: string | null
}

const MAX_LISTED = 500

interface LinkRow {
  id: string
  kind: ShareKind
  title: string
  has_pass_phrase: boolean
  created_at: Date
  created_by: string
  expires_at: Date
  revoked_at: Date | null
  opened: number
  last_opened_at: Date | null
}

const findState = ({ revoked_at, expires_at }: LinkRow, now: Date): ShareLink['state'] => {
  if (revoked_at !== null) return 'revoked'
  return expires_at <= now ? 'expired' : 'active'
}

export const listLinks = async (db: Db, tenantId: string, now: Date, subject?: Subject): Promise<ShareLink[]> => {
  const chosen = subject
    ? sql`and link.service_line_id is not distinct from ${subject.service_line_id}
        and link.incident_id is not distinct from ${subject.incident_id}
        and link.report_id is not distinct from ${subject.report_id}
        and link.saved_view_id is not distinct from ${subject.saved_view_id}`
    : sql``
  const { rows } = await sql<LinkRow>`
    select link.id, link.kind, link.title, link.pass_phrase_hash is not null as has_pass_phrase, link.created_at,
      creator.email as created_by, link.expires_at, link.revoked_at, link.opened, link.last_opened_at
    from share_links as link
    join users as creator on creator.tenant_id = link.tenant_id and creator.id = link.created_by
    where link.tenant_id = ${tenantId} ${chosen}
    order by link.created_at desc, link.id limit ${MAX_LISTED}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    title: row.title,
    state: findState(row, now),
    hasPassPhrase: row.has_pass_phrase,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    opened: row.opened,
    lastOpenedAt: row.last_opened_at,
  }))
}

interface NewLink extends Subject {
  kind: ShareKind
  title: string
  /** The group that a view is shared with. */
  group_name: string | null
  pass_phrase_hash: string | null
  created_at: Date
  created_by: number
  expires_at: Date
}

/** Returns the secret, of which only a hash is stored. */
export const insertLink = async (db: Db, tenantId: string, link: NewLink) => {
  const id = randomUUID()
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('share_links')
    .values({ tenant_id: tenantId, id, secret_hash: sha256(secret), ...link })
    .execute()
  return { id, secret }
}

export interface OpenLink extends Subject {
  id: string
  kind: ShareKind
  title: string
  passPhraseHash: string | null
  expiresAt: Date
  lastOpenedAt: Date | null
  /**
   * The selection; null if the view is private to another user than the creator of the link, or shows more than the group
   * that the link was made for.
   */
  view: { page: ViewPage; state: ViewState; group: string | null } | null
}

const SECRET = /^[\w-]{43}$/

/** The link of a secret, if it is valid now: not expired or revoked, and its creator is still an administrator. */
export const findOpenLink = async (
  db: Db,
  tenantId: string,
  secret: string,
  now: Date,
): Promise<OpenLink | undefined> => {
  if (!SECRET.test(secret)) return undefined
  const { rows } = await sql<OpenLink>`
    select link.id, link.kind, link.title, link.service_line_id, link.incident_id, link.report_id, link.saved_view_id,
      link.pass_phrase_hash as "passPhraseHash", link.expires_at as "expiresAt", link.last_opened_at as "lastOpenedAt",
      case when (view.owner_id = link.created_by or view.audience <> 'nobody')
        and (link.group_name is null or link.group_name = view.group_name)
        then jsonb_build_object('page', view.page, 'state', view.state, 'group', view.group_name) end as view
    from share_links as link
    join users as creator on creator.tenant_id = link.tenant_id and creator.id = link.created_by and creator.role = 'admin'
    left join saved_views as view on view.tenant_id = link.tenant_id and view.id = link.saved_view_id
    where link.tenant_id = ${tenantId} and link.secret_hash = ${sha256(secret)} and link.revoked_at is null
      and link.expires_at > ${now}`.execute(db)
  return rows[0]
}

export const recordOpened = (db: Db, tenantId: string, id: string, now: Date) =>
  sql`
    update share_links set opened = opened + 1, last_opened_at = ${now} where tenant_id = ${tenantId} and id = ${id}`.execute(
    db,
  )

/** Retained for a while after they end, to answer who could see what. */
const RETENTION = '90 days'

export const purgeShareLinks = async (db: Db, tenantId: string, now: Date) => {
  await sql`
    delete from share_links
    where tenant_id = ${tenantId}
      and least(expires_at, revoked_at) < ${now}::timestamptz - interval '${sql.raw(RETENTION)}'`.execute(db)
}
