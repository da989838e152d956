import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { SavedView, ViewPage, ViewState } from '#contract/saved-views.ts'
import { BookmarkIcon } from '../../ui/icons.tsx'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { useMenu } from '../../ui/use-menu.ts'
import classes from './ViewsMenu.module.css'
import { isSameState, pickState, type ViewAction } from './view-state.ts'
import { viewsQuery } from './views-query.ts'

const ViewsMenuItems = lazy(() =>
  importWithRetry(() => import('./ViewsMenuItems.tsx')).then((it) => ({ default: it.ViewsMenuItems })),
)
const ViewDialogs = lazy(() =>
  importWithRetry(() => import('./ViewDialogs.tsx')).then((it) => ({ default: it.ViewDialogs })),
)

interface ViewsMenuProps {
  page: ViewPage
  /** The query of the URL; `saved` is the id of the open view. */
  search: Readonly<Record<string, unknown>> & { saved?: string | undefined }
  /** The current state, including the user's own settings that are not in the URL. */
  getShown: () => ViewState
}

/** The saved views of a page: opens them, and saves the current state. */
export function ViewsMenu({ page, search, getShown }: ViewsMenuProps) {
  const { opened, close, around, button, menu } = useMenu()
  const [doing, setDoing] = useState<ViewAction>()
  const { data: views } = useQuery({ ...viewsQuery, enabled: opened || search.saved !== undefined })
  const view = views?.find(({ id, page: its }) => id === search.saved && its === page)
  const isModified = view !== undefined && !isSameState(page, view.state, pickState(page, search))
  const choose = (action: ViewAction) => {
    close()
    setDoing(action)
  }
  return (
    <div className={classes.views} {...around}>
      <button type="button" className={classes.button} aria-label={nameButton(view, isModified)} {...button}>
        <BookmarkIcon />
        <span className={classes.name} data-active={view !== undefined || undefined}>
          {view?.name ?? 'Views'}
        </span>
        {isModified && <span className={classes.modified}>modified</span>}
      </button>
      {opened && (
        <div role="menu" className={classes.menu} aria-label="Views" {...menu}>
          <Suspense>
            <ViewsMenuItems view={view} isModified={isModified} onChoose={choose} onClose={close} />
          </Suspense>
        </div>
      )}
      {doing && (
        <Suspense>
          <ViewDialogs
            page={page}
            view={view}
            action={doing}
            getShown={getShown}
            onDone={() => {
              setDoing(undefined)
              button.ref.current?.focus()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

const nameButton = (view: SavedView | undefined, isModified: boolean) =>
  view ? `View ${view.name}${isModified ? ', modified' : ''}` : 'Views'
