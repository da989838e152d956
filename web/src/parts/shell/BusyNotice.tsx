import { useIsServerBusy } from '../../retries.ts'
import classes from './Shell.module.css'

/** Reads repeat themselves while the server is busy; the user only has to know why it takes long. */
export function BusyNotice() {
  const isBusy = useIsServerBusy()
  // Always there, because screen readers announce only changes of a region that they know.
  return <div role="status">{isBusy && <p className={classes.busy}>The service is busy. Trying again…</p>}</div>
}
