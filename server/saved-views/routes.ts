import { randomUUID } from 'node:crypto'
import { conflict, forbidden, invalid, notFound } from '#contract/errors.ts'
import { maxSavedViews, type NewView, type savedViews } from '#contract/saved-views.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { countOwnViews, findEditableView, listViews, type StoredView, toSavedView } from './view-rows.ts'

const toReader = ({ user }: Context) => ({ userId: user.userId, isAdmin: user.role === 'admin', group: user.group })

const checkSharing = ({ user }: Context, view: NewView): NewView => {
  const { audience, group } = view
  if (audience !== 'nobody' && user.role !== 'admin') throw forbidden('Only administrators share views.')
  if (audience === 'group' && group === null) throw invalid('group: please choose a group.')
  return { ...view, group: audience === 'group' ? group : null }
}

const describe = ({ name, page, state, audience, group }: NewView | StoredView) => ({
  name,
  page,
  state,
  audience,
  group,
})

const toColumns = ({ name, page, state, audience, group }: NewView, now: Date) => ({
  name,
  page,
  state: JSON.stringify(state),
  audience,
  group_name: group,
  changed_at: now,
})

const withUniqueName = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw isUniqueViolation(error) ? conflict('There is a view with this name already.') : error
  }
}

const create = (ctx: Context, input: NewView) => {
  const entered = checkSharing(ctx, input)
  const { tenantId, user, services } = ctx
  const insertView = () =>
    // Locks the user, so that their views can be counted.
    ctx.transaction(async (db) => {
      if ((await countOwnViews(db, tenantId, user.userId)) >= maxSavedViews)
        throw conflict(`You have ${maxSavedViews} views already. Please delete some first.`)
      const now = services.now()
      const view: StoredView = { id: randomUUID(), ownerId: user.userId, ...entered, changedAt: now }
      await db
        .insertInto('saved_views')
        .values({ tenant_id: tenantId, id: view.id, owner_id: user.userId, ...toColumns(entered, now) })
        .execute()
      await recordAudit(db, tenantId, now, {
        performer: user.email,
        action: 'saved_view.create',
        performee: entered.name,
        details: { view: view.id, after: describe(entered) },
      })
      return toSavedView(view, toReader(ctx))
    }, 'self')
  return withUniqueName(insertView)
}

const change = (ctx: Context, { id, ...input }: NewView & { id: string }) => {
  const entered = checkSharing(ctx, input)
  const { tenantId, user, services } = ctx
  const updateView = () =>
    ctx.transaction(async (db) => {
      const view = await findEditableView(db, tenantId, id, toReader(ctx))
      if (!view) throw notFound('There is no such view.')
      const now = services.now()
      await db
        .updateTable('saved_views')
        .set(toColumns(entered, now))
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .execute()
      await recordAudit(db, tenantId, now, {
        performer: user.email,
        action: 'saved_view.change',
        performee: entered.name,
        details: { view: id, before: describe(view), after: describe(entered) },
      })
      return toSavedView({ ...view, ...entered, changedAt: now }, toReader(ctx))
    })
  return withUniqueName(updateView)
}

const remove = (ctx: Context, { id }: { id: string }) =>
  ctx.transaction(async (db) => {
    const { tenantId, user, services } = ctx
    const view = await findEditableView(db, tenantId, id, toReader(ctx))
    if (!view) throw notFound('There is no such view.')
    await db.deleteFrom('saved_views').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
    await recordAudit(db, tenantId, services.now(), {
      performer: user.email,
      action: 'saved_view.delete',
      performee: view.name,
      details: { view: id, before: describe(view) },
    })
    return { message: 'The view is deleted.' }
  })

export const savedViewHandlers: Handlers<typeof savedViews> = {
  list: (ctx) =>
    ctx.transaction(async (db) => {
      const views = await listViews(db, ctx.tenantId, toReader(ctx))
      return { views: views.map((view) => toSavedView(view, toReader(ctx))) }
    }),
  create,
  change,
  remove,
}
