import { useIsServerBusy, useIsWaitingLong } from '../../retries.ts'
import classes from './Shell.module.css'

/** Reads are retried while the server is busy, and wait for one that is silent; this tells the user why it takes long. */
export function BusyNotice() {
  const isBusy = useIsServerBusy()
  const isSilent = useIsWaitingLong()
  const words = isBusy
    ? 'The service is busy. Trying again…'
    : isSilent && 'This takes longer than usual. Still waiting for the server…'
  // Always rendered, because screen readers announce only changes to an existing region.
  return <div role="status">{words && <p className={classes.busy}>{words}</p>}</div>
}
