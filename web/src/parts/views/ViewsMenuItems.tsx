import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { SavedView } from '#contract/saved-views.ts'
import { getErrorMessage } from '../../api.ts'
import { useIsAdmin } from '../../session.ts'
import menu from '../../ui/menu.module.css'
import classes from './ViewsMenu.module.css'
import type { ViewAction } from './view-state.ts'
import { viewsQuery } from './views-query.ts'

interface ViewsMenuItemsProps {
  /** The open view. */
  view: SavedView | undefined
  isModified: boolean
  onChoose: (action: ViewAction) => void
  onClose: () => void
}

export function ViewsMenuItems({ view, isModified, onChoose, onClose }: ViewsMenuItemsProps) {
  const { data: views, error } = useQuery(viewsQuery)
  const isAdmin = useIsAdmin()
  const groups = [
    { label: 'My views', members: views?.filter(({ isOwn, audience }) => isOwn && audience === 'nobody') ?? [] },
    { label: 'Shared views', members: views?.filter(({ audience }) => audience !== 'nobody') ?? [] },
  ].filter(({ members }) => members.length > 0)
  const actions: [ViewAction, string, boolean][] = [
    ['save', 'Save', view?.isEditable === true && isModified],
    ['save as', view ? 'Save as…' : 'Save this view…', true],
    ['edit', isAdmin ? 'Rename or share…' : 'Rename…', view?.isEditable === true],
    ['link', 'Link for others…', isAdmin && view !== undefined],
    ['delete', 'Delete…', view?.isEditable === true],
  ]
  return (
    <>
      {error && !views && <p className={classes.empty}>The views could not be loaded. {getErrorMessage(error)}</p>}
      {views?.length === 0 && (
        <p className={classes.empty}>A view is a filter, search and order under a name. None is saved yet.</p>
      )}
      {groups.map(({ label, members }) => (
        <Fragment key={label}>
          <div className={classes.group} id={`views-${label}`}>
            {label}
          </div>
          {members.map(({ id, name, page }) => (
            <Link
              key={id}
              to="/views/$id"
              params={{ id }}
              role="menuitem"
              tabIndex={-1}
              className={`${menu.item} ${classes.item}`}
              aria-current={id === view?.id ? 'true' : undefined}
              preload={false}
              onClick={onClose}
            >
              <span>{name}</span>
              <small>{page === 'table' ? 'Table' : 'List and map'}</small>
            </Link>
          ))}
        </Fragment>
      ))}
      <hr className={classes.line} />
      {actions.map(
        ([action, label, isOffered]) =>
          isOffered && (
            <button
              key={action}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className={`${menu.item} ${classes.item}`}
              onClick={() => onChoose(action)}
            >
              {label}
            </button>
          ),
      )}
    </>
  )
}
