import type { ViewPage, ViewState } from '#contract/saved-views.ts'

/** What the menu of views offers to do. */
export type ViewAction = 'save' | 'save as' | 'edit' | 'link' | 'delete'

const keysByPage: Record<ViewPage, readonly (keyof ViewState)[]> = {
  dashboard: ['status', 'alert', 'q', 'order', 'map'],
  table: ['status', 'alert', 'q', 'sort', 'desc', 'columns'],
}

/** What a view saves of the search of an address. */
export const pickState = (page: ViewPage, search: Readonly<Record<string, unknown>>): ViewState =>
  Object.fromEntries(
    keysByPage[page].flatMap((key) => (search[key] === undefined || search[key] === '' ? [] : [[key, search[key]]])),
  )

/** Whether both show the same. What a view does not name has the page's default. */
export const isSameState = (page: ViewPage, one: ViewState, other: ViewState) =>
  keysByPage[page].every((key) => one[key] === other[key])

/** The page with the state of a view as its address. */
export const toViewAddress = (view: { id: string; page: ViewPage; state: ViewState }) => ({
  to: view.page === 'dashboard' ? ('/dashboard' as const) : ('/terminaltable' as const),
  search: { ...view.state, saved: view.id },
})
