import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatPlace } from '#contract/format/places.ts'
import { isWarning } from '#contract/incident-cause.ts'
import type { TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { terminalIncidentsQuery } from '../../parts/incidents/incident-queries.ts'
import { StatusMark } from '../../parts/StatusMark.tsx'
import { shownStatus } from '../../parts/status.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import { History, historyQuery, selectSpans } from './History.tsx'
import { LiveFigures } from './LiveFigures.tsx'
import { describeSince } from './since.ts'
import classes from './TerminalPage.module.css'

const ageIntervalMs = 5000

/** Name, status with start and cause, plan, location, when it was last seen, its newest values and its uptime. */
export function TerminalHead({ detail, kitnumber }: { detail: TerminalDetail; kitnumber: string }) {
  const { service_line_data: line, terminal_data, past } = detail
  const nowMs = useNow(ageIntervalMs)
  const newest = terminal_data
    .filter(({ update_from_telemetry }) => update_from_telemetry !== null)
    .toSorted((a, b) => Number(b.update_from_telemetry) - Number(a.update_from_telemetry))[0]
  const first = newest ?? terminal_data[0]
  return (
    <header className={classes.heading}>
      <div className={classes.head}>
        <Title order={1}>{getDisplayName(line)}</Title>
        <span className={classes.status}>
          <StatusMark status={first ? shownStatus({ status: first.status, alerts: first.activeAlerts }) : 'no data'} />
          {first && !past && <Since terminal={first} kitnumber={kitnumber} nowMs={nowMs} />}
        </span>
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
      </div>
      {first && <LiveFigures terminal={first} detail={detail} />}
      {first && !past && <History kitnumber={kitnumber} terminal={first} />}
    </header>
  )
}

function Since({ terminal, kitnumber, nowMs }: { terminal: TerminalData; kitnumber: string; nowMs: number }) {
  const { data: history } = useQuery(historyQuery(kitnumber))
  const { data: open } = useQuery(terminalIncidentsQuery(kitnumber, undefined))
  if (!history) return undefined
  const outage = open?.incidents.find(({ cause }) => !isWarning(cause))
  const spans = selectSpans(history.spans, terminal)
  return <span>{describeSince(spans, outage, { knownFrom: history.from, nowMs })}</span>
}
