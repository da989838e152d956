import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import type { CurrentUser } from '#contract/identity.ts'
import { logOut } from '../../session.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { useMenu } from '../../ui/use-menu.ts'
import { WhenOpened } from '../../ui/WhenOpened.tsx'
import classes from './UserMenu.module.css'

const loadItems = () => importWithRetry(() => import('./UserMenuItems.tsx'))
const UserMenuItems = lazy(() => loadItems().then((it) => ({ default: it.UserMenuItems })))
const LogOutQuestion = lazy(() =>
  importWithRetry(() => import('./LogOutQuestion.tsx')).then((it) => ({ default: it.LogOutQuestion })),
)

export function UserMenu({ user }: { user: CurrentUser }) {
  const [isQuestionOpen, { open, close }] = useDisclosure(false)
  const { opened, close: closeMenu, around, button, menu } = useMenu()
  const name = user.customerName || user.email
  // Puts the menu into the service worker's cache.
  useEffect(() => void navigator.serviceWorker?.ready.then(loadItems).catch(() => undefined), [])
  const navigate = useNavigate()
  const askToLogOut = () => {
    closeMenu()
    if (navigator.onLine) open()
    // Offline, the code of the dialog could not be loaded.
    else void navigate({ to: '/' }).then(logOut)
  }
  return (
    <div className={classes.account} {...around}>
      <button type="button" className={classes.user} aria-label={`${name}, account`} {...button}>
        <span className={classes.initials} data-initials={formatInitials(name)} aria-hidden="true" />
        <span className={classes.name}>{name}</span>
      </button>
      {opened && (
        <div role="menu" className={classes.menu} aria-label="Account" {...menu}>
          <Suspense>
            <UserMenuItems email={user.email} onClose={closeMenu} onLogOut={askToLogOut} />
          </Suspense>
        </div>
      )}
      <WhenOpened opened={isQuestionOpen}>
        <LogOutQuestion opened={isQuestionOpen} onClose={close} />
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
