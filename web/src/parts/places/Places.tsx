import { Link } from '@tanstack/react-router'
import classes from './Places.module.css'

const adminPlaces = [
  ['/admin-page', 'Users'],
  ['/editing-logs', 'Editing Log'],
  ['/security-events', 'Security Events'],
  ['/deliveries', 'Deliveries'],
  ['/tokens', 'API Tokens'],
  ['/webhooks', 'Webhooks'],
  ['/single-sign-on', 'Single Sign-On'],
  ['/settings', 'Settings'],
  ['/dev-dashboard', 'Executive Dashboard'],
] as const

const operationPlaces = [
  ['/incidents', 'Incidents'],
  ['/availability', 'Availability'],
  ['/maintenance', 'Maintenance'],
  ['/reports', 'Reports'],
] as const

interface PlacesProps {
  label: string
  places: readonly (readonly [path: (typeof adminPlaces | typeof operationPlaces)[number][0], name: string])[]
}

/** Related pages, each one click away from the others. */
const Places = ({ label, places }: PlacesProps) => (
  <nav aria-label={label}>
    <ul className={classes.places}>
      {places.map(([path, name]) => (
        <li key={path}>
          <Link to={path} className={classes.place} activeOptions={{ includeSearch: false }}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

export const AdminPlaces = () => <Places label="Administration" places={adminPlaces} />

export const OperationPlaces = () => <Places label="Operation" places={operationPlaces} />
