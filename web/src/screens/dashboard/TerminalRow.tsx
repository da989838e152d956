import { useRouter } from '@tanstack/react-router'
import { memo } from 'react'
import { getAlertTitle } from '#contract/alerts.ts'
import { formatAge } from '#contract/format/durations.ts'
import { formatPlace } from '#contract/format/places.ts'
import { formatExactTime } from '#contract/format/times.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { Heartbeat } from '../../parts/heartbeat/Heartbeat.tsx'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { shownStatus } from '../../parts/status.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import classes from './TerminalList.module.css'

interface TerminalRowProps {
  terminal: TerminalListItem
  changedAtMs: number | undefined
  nowMs: number
  /** The half hour that the heartbeat ends with. */
  halfHour: number | undefined
  highlighted: boolean
  onHighlight: (id: string) => void
}

/** A row that is scrolled into view later is not highlighted for an older change. */
const glowMs = 2000

/**
 * Name with badges and status, location and age, and the last 24 hours. A click opens the terminal in a new tab.
 */
export const TerminalRow = memo(function TerminalRow(props: TerminalRowProps) {
  const { terminal, changedAtMs, nowMs, halfHour, highlighted, onHighlight } = props
  const router = useRouter()
  const { href } = router.buildLocation({ to: '/terminal/$kitnumber', params: { kitnumber: terminal.nickname } })
  const alerts = terminal.alerts.length
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      className={classes.row}
      data-highlighted={highlighted || undefined}
      onPointerEnter={() => onHighlight(terminal.id)}
      onFocus={() => onHighlight(terminal.id)}
    >
      <span className={classes.name}>
        <span className={classes.nameText} title={getDisplayName(terminal)}>
          {getDisplayName(terminal)}
        </span>
        {terminal.isMobile && <span className={classes.badge}>Mobile</span>}
        {alerts > 0 && (
          <span className={classes.badge} title={terminal.alerts.map(getAlertTitle).join(', ')}>
            <AlertIcon />
            {alerts}
            <span className="visually-hidden">{alerts === 1 ? ' alert' : ' alerts'}</span>
          </span>
        )}
      </span>
      <StatusMark status={shownStatus(terminal)} />
      <span className={classes.place}>{formatPlace(terminal)}</span>
      <span className={classes.age} title={terminal.lastSeen ? formatExactTime(terminal.lastSeen) : undefined}>
        {terminal.lastSeen ? formatAge(terminal.lastSeen.getTime(), nowMs) : '-'}
      </span>
      {halfHour !== undefined && (
        <span className={classes.heartbeat}>
          <Heartbeat text={terminal.h ?? ''} last={halfHour} />
        </span>
      )}
      {changedAtMs !== undefined && Date.now() - changedAtMs < glowMs && (
        <span key={changedAtMs} className={classes.glow} />
      )}
    </a>
  )
})
