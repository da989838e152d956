import { useIsServerBusy } from '../../retries.ts'
import classes from './Shell.module.css'

/** Reads are retried while the server is busy; this tells the user why it takes long. */
export function BusyNotice() {
  const isBusy = useIsServerBusy()
  // Always rendered, because screen readers announce only changes to an existing region.
  return <div role="status">{isBusy && <p className={classes.busy}>The service is busy. Trying again…</p>}</div>
}
