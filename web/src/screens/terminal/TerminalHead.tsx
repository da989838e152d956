import { Title } from '@mantine/core'
import type { TerminalDetail } from '#contract/terminal-detail.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { formatPlace } from '../../parts/fleet/place.ts'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { shownStatus } from '../../parts/status.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import classes from './TerminalPage.module.css'

const lookEveryMs = 5000

/** Name, status, plan, location and when it was last seen. */
export function TerminalHead({ detail: { service_line_data: line, terminal_data, past } }: { detail: TerminalDetail }) {
  const nowMs = useNow(lookEveryMs)
  const newest = terminal_data
    .filter(({ update_from_telemetry }) => update_from_telemetry !== null)
    .toSorted((a, b) => Number(b.update_from_telemetry) - Number(a.update_from_telemetry))[0]
  const first = newest ?? terminal_data[0]
  return (
    <header className={classes.head}>
      <Title order={1}>{getDisplayName(line)}</Title>
      <StatusMark status={first ? shownStatus({ status: first.status, alerts: first.activeAlerts }) : 'no data'} />
      <span>{line.serviceName ?? 'N/A'}</span>
      <span>{formatPlace({ ...line, isMobile: line.track !== undefined })}</span>
      <span className={classes.seen}>
        {newest?.update_from_telemetry ? (
          <>
            Last seen <TimeAgo at={newest.update_from_telemetry} nowMs={nowMs} />
          </>
        ) : past ? (
          'Last seen: not recorded'
        ) : (
          'Never seen'
        )}
      </span>
    </header>
  )
}
