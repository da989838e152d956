import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { NavbarLogo } from '../../brand/NavbarLogo.tsx'
import { usePermissions } from '../../permissions.ts'
import { useSession } from '../../session.ts'
import { SchemeSwitch } from './SchemeSwitch.tsx'
import classes from './Shell.module.css'
import { TicketEntry } from './TicketEntry.tsx'
import { UserMenu } from './UserMenu.tsx'

interface Place {
  to: string
  label: string
}

const publicPlaces: Place[] = [
  { to: '/', label: 'Home' },
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/support', label: 'Support' },
]

const adminPlaces: Place[] = [
  { to: '/admin-page', label: 'Admin' },
  { to: '/access-control', label: 'Access Control' },
]

const planManager: Place = { to: '/plan-manager', label: 'Plan Manager' }

export function Navbar() {
  const session = useSession()
  const { plan_manager } = usePermissions('plan_manager')
  const isAdmin = session.state === 'signed in' && session.user.role === 'admin'
  const places = [...publicPlaces, ...(isAdmin ? adminPlaces : []), ...(plan_manager ? [planManager] : [])]
  return (
    <header className={classes.navbar}>
      <Link to="/" className={classes.logo}>
        <NavbarLogo />
      </Link>
      <nav aria-label="Main" className={classes.nav}>
        <ul className={classes.links}>
          {places.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className={classes.link} activeOptions={{ exact: to === '/', includeSearch: false }}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.end}>
        <TicketEntry />
        <SchemeSwitch />
        {session.state === 'signed out' && (
          <Button component={Link} to="/login" variant="default" h="var(--touch)">
            Sign In
          </Button>
        )}
        {session.state === 'signed in' && <UserMenu user={session.user} />}
      </div>
    </header>
  )
}
