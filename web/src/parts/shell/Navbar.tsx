import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Link, useRouter } from '@tanstack/react-router'
import { NavbarLogo } from '../../brand/NavbarLogo.tsx'
import { listNavEntries } from '../../pages.ts'
import { usePermissions } from '../../permissions.ts'
import { useIsAdmin, useSession } from '../../session.ts'
import { MenuIcon, MoonIcon, SunIcon } from '../../ui/icons.tsx'
import { PaletteButton } from '../palette/PaletteButton.tsx'
import classes from './Shell.module.css'
import { TicketEntry } from './TicketEntry.tsx'
import { UserMenu } from './UserMenu.tsx'

export function Navbar() {
  const session = useSession()
  const entries = useNavEntries()
  const [opened, { toggle, close }] = useDisclosure(false)
  useHotkeys([['Escape', close]])
  return (
    <header className={classes.navbar}>
      <ActionIcon
        className={classes.menuButton}
        variant="subtle"
        color="gray"
        size="var(--touch)"
        aria-label="Menu"
        aria-expanded={opened}
        aria-controls="places"
        onClick={toggle}
      >
        <MenuIcon />
      </ActionIcon>
      <Link to="/" className={classes.logo}>
        <NavbarLogo />
      </Link>
      <nav id="places" aria-label="Main" className={classes.nav} data-opened={opened || undefined}>
        <ul className={classes.links}>
          {entries.map(({ path, label }) => (
            <li key={path}>
              <Link
                to={path}
                className={classes.link}
                activeOptions={{ exact: path === '/', includeSearch: false }}
                onClick={close}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.end} data-signed-in={session.state === 'signed in' || undefined}>
        {session.state === 'signed in' && <PaletteButton />}
        <TicketEntry />
        <SchemeSwitch />
        {session.state === 'signed out' && (
          <Button component={Link} to="/login" className={classes.signIn} variant="default" h="var(--touch)">
            Sign In
          </Button>
        )}
        {session.state === 'signed in' && <UserMenu user={session.user} />}
      </div>
    </header>
  )
}

/**
 * Visitors see the pages for users, which lead to the sign-in; admin pages and those that need a permission are left out.
 */
function useNavEntries() {
  const entries = listNavEntries(useRouter())
  const permissions = usePermissions(...entries.flatMap(({ permission }) => permission ?? []))
  const isAdmin = useIsAdmin()
  return entries.filter(
    ({ access, permission }) =>
      (access !== 'admin' || isAdmin) && (permission === undefined || permissions[permission]),
  )
}

/** Follows the system until the user chooses. */
function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  return (
    <ActionIcon
      className={classes.scheme}
      variant="subtle"
      color="gray"
      size="var(--touch)"
      aria-label={dark ? 'Use light colors' : 'Use dark colors'}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <SunIcon /> : <MoonIcon />}
    </ActionIcon>
  )
}
