import { Link } from '@tanstack/react-router'
import { chooseDataSaver, useDataSaver } from '../../data-saver.ts'
import { usePage } from '../../pages.ts'
import { BACK_MS, toAt, useAt } from '../../past-search.ts'
import menu from '../../ui/menu.module.css'
import classes from './UserMenuItems.module.css'

interface UserMenuItemsProps {
  email: string
  onClose: () => void
  onLogOut: () => void
}

export function UserMenuItems({ email, onClose, onLogOut }: UserMenuItemsProps) {
  const at = useAt()
  const saver = useDataSaver()
  const { showsPast } = usePage()
  return (
    <>
      <div className={classes.email}>{email}</div>
      <Link to="/profile" role="menuitem" tabIndex={-1} className={menu.item} onClick={onClose}>
        Profile
      </Link>
      {showsPast && at === undefined && (
        <Link
          to="."
          search={(before: object) => ({ ...before, at: toAt(Date.now() - BACK_MS) })}
          role="menuitem"
          tabIndex={-1}
          className={`${menu.item} ${classes.travel}`}
          preload={false}
          onClick={onClose}
        >
          Go back in time…
        </Link>
      )}
      <button
        type="button"
        role="menuitemcheckbox"
        aria-checked={saver.isOn}
        tabIndex={-1}
        className={menu.item}
        onClick={() => chooseDataSaver(!saver.isOn)}
      >
        Data Saver
        <span className={classes.state}>{saver.isOn ? 'On' : 'Off'}</span>
      </button>
      <button type="button" role="menuitem" tabIndex={-1} className={menu.item} onClick={onLogOut}>
        Log Out
      </button>
    </>
  )
}
