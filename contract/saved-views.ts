import * as z from 'zod/mini'
import { Done, NoInput } from './basic-bodies.ts'
import { moment } from './codecs.ts'
import { listOrders } from './list-order.ts'
import { route } from './route.ts'
import { shownStatuses } from './shown-status.ts'
import { choice, requiredLine, text, textLike, uuid } from './text.ts'

/** The pages whose state can be saved. */
export const viewPages = ['dashboard', 'table'] as const
export type ViewPage = (typeof viewPages)[number]

export const viewNameMaxLength = 60
/** Per user. */
export const maxSavedViews = 50

/** The center of the map and its zoom: 64.2,-149.49,4.5. */
const mapPattern = /^-?\d{1,2}(\.\d{1,5})?,-?\d{1,3}(\.\d{1,5})?,\d{1,2}(\.\d{1,2})?$/

/** The query string of the page: filters, order and columns. */
export const ViewState = z.strictObject({
  status: z.optional(choice(shownStatuses)),
  alert: z.optional(text(100)),
  q: z.optional(text(500)),
  /** Dashboard only: the order of its list, and its map. */
  order: z.optional(choice(listOrders)),
  map: z.optional(textLike(40, mapPattern, 'This is no place of a map.')),
  /** Table only: the sort column, and the visible columns, comma-separated. */
  sort: z.optional(text(40)),
  desc: z.optional(z.boolean()),
  columns: z.optional(text(1000)),
})
export type ViewState = z.output<typeof ViewState>

/** Who can see a view besides its owner. */
export const viewAudiences = ['nobody', 'group', 'everyone'] as const
export type ViewAudience = (typeof viewAudiences)[number]

const content = { name: requiredLine(viewNameMaxLength), page: choice(viewPages), state: ViewState }
/** Only administrators can share. `group` is used only for the audience `group`. */
const sharing = { audience: choice(viewAudiences), group: z.nullable(requiredLine(100)) }

export const NewView = z.strictObject({ ...content, ...sharing })
export type NewView = z.output<typeof NewView>

const SavedView = z.object({
  id: z.string(),
  ...content,
  ...sharing,
  /** The caller owns it. */
  isOwn: z.boolean(),
  /** The caller may rename, save, share and delete it. */
  isEditable: z.boolean(),
  changedAt: moment,
})
export type SavedView = z.output<typeof SavedView>

const id = uuid('This is not a valid id.')

export const savedViews = {
  list: route({
    method: 'GET',
    path: '/saved-views/',
    access: 'user',
    summary: 'The views that the caller has saved, and those that an administrator shares with them, by name',
    input: NoInput,
    output: z.object({ views: z.array(SavedView) }),
  }),
  create: route({
    method: 'POST',
    path: '/saved-views/',
    access: 'user',
    summary: 'Saves what selects, orders and shows terminals under a name',
    input: NewView,
    output: SavedView,
  }),
  change: route({
    method: 'PUT',
    path: '/saved-views/:id/',
    access: 'user',
    summary: 'Changes a view of the caller, or for administrators one that is shared',
    input: z.strictObject({ id, ...content, ...sharing }),
    output: SavedView,
  }),
  remove: route({
    method: 'DELETE',
    path: '/saved-views/:id/',
    access: 'user',
    summary: 'Deletes a view of the caller, or for administrators one that is shared, with the links to it',
    input: z.strictObject({ id }),
    output: Done,
  }),
}
