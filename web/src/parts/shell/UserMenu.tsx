import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { lazy } from 'react'
import type { CurrentUser } from '#contract/identity.ts'
import { usePage } from '../../pages.ts'
import { BACK_MS, toAt, useAt } from '../../past-search.ts'
import { useMenu } from '../../ui/use-menu.ts'
import { WhenOpened } from '../../ui/WhenOpened.tsx'
import classes from './UserMenu.module.css'

const LogOutQuestion = lazy(() => import('./LogOutQuestion.tsx').then((it) => ({ default: it.LogOutQuestion })))

export function UserMenu({ user }: { user: CurrentUser }) {
  const [asking, { open, close }] = useDisclosure(false)
  const { opened, close: closeMenu, around, button, menu } = useMenu()
  const name = user.customerName || user.email
  const at = useAt()
  const { showsPast } = usePage()
  const canGoBack = showsPast && at === undefined
  const askToLogOut = () => {
    closeMenu()
    open()
  }
  return (
    <div className={classes.account} {...around}>
      <button type="button" className={classes.user} aria-label={`${name}, account`} {...button}>
        <span className={classes.initials} data-initials={formatInitials(name)} aria-hidden="true" />
        <span className={classes.name}>{name}</span>
      </button>
      {opened && (
        <div role="menu" className={classes.menu} aria-label="Account" {...menu}>
          <div className={classes.email}>{user.email}</div>
          <Link to="/profile" role="menuitem" tabIndex={-1} className={classes.item} onClick={closeMenu}>
            Profile
          </Link>
          {canGoBack && (
            <Link
              to="."
              search={(before: object) => ({ ...before, at: toAt(Date.now() - BACK_MS) })}
              role="menuitem"
              tabIndex={-1}
              className={`${classes.item} ${classes.travel}`}
              preload={false}
              onClick={closeMenu}
            >
              Go back in time…
            </Link>
          )}
          <button type="button" role="menuitem" tabIndex={-1} className={classes.item} onClick={askToLogOut}>
            Log Out
          </button>
        </div>
      )}
      <WhenOpened opened={asking}>
        <LogOutQuestion opened={asking} onClose={close} />
      </WhenOpened>
    </div>
  )
}

const formatInitials = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
