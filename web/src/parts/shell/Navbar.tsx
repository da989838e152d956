import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { NavbarLogo } from '../../brand/NavbarLogo.tsx'
import { useSession } from '../../session.ts'
import { PersonMenu } from './PersonMenu.tsx'
import { SchemeSwitch } from './SchemeSwitch.tsx'
import classes from './Shell.module.css'

const links = [
  { to: '/', label: 'Home' },
  { to: '/dashboard', label: 'Dashboard' },
  { to: '/support', label: 'Support' },
] as const

export function Navbar() {
  const session = useSession()
  return (
    <header className={classes.navbar}>
      <Link to="/" className={classes.logo}>
        <NavbarLogo />
      </Link>
      <nav aria-label="Main" className={classes.nav}>
        <ul className={classes.links}>
          {links.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className={classes.link} activeOptions={{ exact: to === '/', includeSearch: false }}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={classes.end}>
        <SchemeSwitch />
        {session.state === 'signed out' && (
          <Button component={Link} to="/login" variant="default" h="var(--touch)">
            Sign In
          </Button>
        )}
        {session.state === 'signed in' && <PersonMenu person={session.person} />}
      </div>
    </header>
  )
}
