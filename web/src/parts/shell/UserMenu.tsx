import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import type { CurrentUser } from '#contract/identity.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { useMenu } from '../../ui/use-menu.ts'
import { WhenOpened } from '../../ui/WhenOpened.tsx'
import classes from './UserMenu.module.css'

const UserMenuItems = lazy(() =>
  importWithRetry(() => import('./UserMenuItems.tsx')).then((it) => ({ default: it.UserMenuItems })),
)
const LogOutQuestion = lazy(() => import('./LogOutQuestion.tsx').then((it) => ({ default: it.LogOutQuestion })))

export function UserMenu({ user }: { user: CurrentUser }) {
  const [asking, { open, close }] = useDisclosure(false)
  const { opened, close: closeMenu, around, button, menu } = useMenu()
  const name = user.customerName || user.email
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
          <Suspense>
            <UserMenuItems email={user.email} onClose={closeMenu} onLogOut={askToLogOut} />
          </Suspense>
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
