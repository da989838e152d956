import type { ViewPage, ViewState } from '#contract/saved-views.ts'

/** The actions in the menu of views. */
export type ViewAction = 'save' | 'save as' | 'edit' | 'link' | 'delete'

const keysByPage: Record<ViewPage, readonly (keyof ViewState)[]> = {
  dashboard: ['status', 'alert', 'q', 'order', 'map'],
  table: ['status', 'alert', 'q', 'sort', 'desc', 'columns'],
}

/** The part of a URL's query that a view saves. */
export const pickState = (page: ViewPage, search: Readonly<Record<string, unknown>>): ViewState =>
  Object.fromEntries(
    keysByPage[page].flatMap((key) => (search[key] === undefined || search[key] === '' ? [] : [[key, search[key]]])),
  )

/** Whether both states show the same. Fields missing from a view have the page's default. */
export const isSameState = (page: ViewPage, one: ViewState, other: ViewState) =>
  keysByPage[page].every((key) => one[key] === other[key])

/** The URL of a page with the state of a view. */
export const toViewAddress = (view: { id: string; page: ViewPage; state: ViewState }) => ({
  to: view.page === 'dashboard' ? ('/dashboard' as const) : ('/terminaltable' as const),
  search: { ...view.state, saved: view.id },
})
