import { sql } from 'kysely'
import type { SavedView, ViewAudience, ViewPage, ViewState } from '#contract/saved-views.ts'
import type { Db } from '../platform/database/database.ts'

export interface StoredView {
  id: string
  ownerId: number
  name: string
  page: ViewPage
  state: ViewState
  audience: ViewAudience
  group: string | null
  changedAt: Date
}

interface Reader {
  userId: number
  isAdmin: boolean
  group: string
}

const columns = sql`view.id, view.owner_id as "ownerId", view.name, view.page, view.state, view.audience,
  view.group_name as "group", view.changed_at as "changedAt"`

/** Administrators are responsible for shared views, so no other user may change them, not even the owner. */
const mayEdit = (view: StoredView, { userId, isAdmin }: Reader) =>
  view.audience === 'nobody' ? view.ownerId === userId : isAdmin

export const toSavedView = (view: StoredView, reader: Reader): SavedView => {
  const { id, ownerId, name, page, state, audience, group, changedAt } = view
  const isOwn = ownerId === reader.userId
  return { id, name, page, state, audience, group, isOwn, isEditable: mayEdit(view, reader), changedAt }
}

/** A bound per tenant; each user has fewer. */
const MAX_LISTED = 1_000

/** The user's own views and those shared with them; an administrator sees all shared ones. */
export const listViews = async (db: Db, tenantId: string, { userId, isAdmin, group }: Reader) => {
  const shared = isAdmin
    ? sql`view.audience <> 'nobody'`
    : sql`(view.audience = 'everyone' or view.audience = 'group' and view.group_name = ${group})`
  const { rows } = await sql<StoredView>`
    select ${columns} from saved_views as view
    where view.tenant_id = ${tenantId} and (view.owner_id = ${userId} or ${shared})
    order by natural_key(view.name), view.id limit ${MAX_LISTED}`.execute(db)
  return rows
}

/** A view that the reader may change, locked until the transaction ends. */
export const findEditableView = async (db: Db, tenantId: string, id: string, reader: Reader) => {
  const { rows } = await sql<StoredView>`
    select ${columns} from saved_views as view where view.tenant_id = ${tenantId} and view.id = ${id} for update`.execute(
    db,
  )
  return rows[0] && mayEdit(rows[0], reader) ? rows[0] : undefined
}

/** A view that a user may create a link to: their own, or a shared one. */
export const findSharableView = async (db: Db, tenantId: string, id: string, userId: number) => {
  const { rows } = await sql<StoredView>`
    select ${columns} from saved_views as view
    where view.tenant_id = ${tenantId} and view.id = ${id} and (view.owner_id = ${userId} or view.audience <> 'nobody')`.execute(
    db,
  )
  return rows[0]
}

export const countOwnViews = async (db: Db, tenantId: string, userId: number) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from saved_views where tenant_id = ${tenantId} and owner_id = ${userId}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
