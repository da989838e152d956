import { Link } from '@tanstack/react-router'
import classes from './ViewSwitch.module.css'

/** The views of the fleet as one switch. */
export const ViewSwitch = ({ shown }: { shown: 'list' | 'table' }) => (
  <nav className={classes.views} aria-label="View">
    {shown === 'list' ? <span aria-current="page">List and map</span> : <Link to="/dashboard">Dashboard</Link>}
    {shown === 'table' ? (
      <span aria-current="page">Terminal Table</span>
    ) : (
      <Link to="/terminaltable">Terminal Table</Link>
    )}
    <Link to="/dashboard" search={{ view: 'wall' }} className={classes.wall} preload={false}>
      Wall
    </Link>
  </nav>
)
