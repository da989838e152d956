import classes from './StatusMark.module.css'
import { type ShownStatus, statusColors, statusLabels } from './status.ts'

/** ● ■ ◆ ○: each status has its own shape, so that color is never the only cue. */
export function StatusShape({ status }: { status: ShownStatus }) {
  return (
    <svg viewBox="0 0 12 12" className={classes.shape} aria-hidden="true" style={{ color: statusColors[status] }}>
      {status === 'online' && <circle cx="6" cy="6" r="5" fill="currentColor" />}
      {status === 'offline' && <rect x="1.5" y="1.5" width="9" height="9" rx="1" fill="currentColor" />}
      {status === 'disabled' && <path d="M6 0 12 6 6 12 0 6Z" fill="currentColor" />}
      {status === 'no data' && <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />}
    </svg>
  )
}

export function StatusMark({ status }: { status: ShownStatus }) {
  return (
    <span className={classes.mark} style={{ color: statusColors[status] }}>
      <StatusShape status={status} />
      {statusLabels[status]}
    </span>
  )
}
