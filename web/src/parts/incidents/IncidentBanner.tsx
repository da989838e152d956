import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatClock, formatDayAndClock } from '#contract/format/times.ts'
import { isWarning } from '#contract/incident-cause.ts'
import { adviseIncident, explainIncident, formatIncidentTitle } from '#contract/incident-words.ts'
import type { Incident, incidents } from '#contract/incidents.ts'
import type { RouteOutput } from '#contract/route.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { useAt } from '../../past-search.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import classes from './IncidentBanner.module.css'
import { terminalIncidentsQuery, widespreadIncidentsQuery } from './incident-queries.ts'

const MAX_SHOWN = 2
const DAY_MS = 86_400_000

const isSnoozed = ({ snoozedUntil }: Incident, nowMs: number) => snoozedUntil !== null && snoozedUntil.getTime() > nowMs

/** Ongoing incidents of many terminals. */
export function FleetIncidents() {
  const { data } = useQuery(widespreadIncidentsQuery(useAt()))
  const nowMs = useNow(30_000)
  const shown = data?.incidents.filter((incident) => !isSnoozed(incident, nowMs)) ?? []
  return (
    <>
      <MaintenanceBanner windows={data?.maintenance} nowMs={nowMs} isShort />
      {shown.slice(0, MAX_SHOWN).map((incident) => (
        <Banner key={incident.id} incident={incident} nowMs={nowMs} isShort />
      ))}
      {shown.length > MAX_SHOWN && (
        <Link to="/incidents" className={classes.more}>
          {formatCounted(shown.length - MAX_SHOWN, 'more incident')}
        </Link>
      )}
    </>
  )
}

/** Why a terminal is down, or will be soon. */
export function TerminalIncidents({ line }: { line: string }) {
  const { data } = useQuery(terminalIncidentsQuery(line, useAt()))
  const nowMs = useNow(30_000)
  return (
    <>
      <MaintenanceBanner windows={data?.maintenance} nowMs={nowMs} />
      {data?.incidents
        .filter((incident) => !isWarning(incident.cause) || !isSnoozed(incident, nowMs))
        .map((incident) => (
          <Banner key={incident.id} incident={incident} nowMs={nowMs} />
        ))}
    </>
  )
}

interface MaintenanceProps {
  windows: RouteOutput<typeof incidents.list>['maintenance'] | undefined
  nowMs: number
  isShort?: boolean
}

function MaintenanceBanner({ windows = [], nowMs, isShort }: MaintenanceProps) {
  const current = windows.filter(({ until }) => until.getTime() > nowMs)
  return (
    <>
      {current.slice(0, MAX_SHOWN).map(({ id, name, until }) => (
        <section
          key={id}
          className={classes.banner}
          data-cause="planned"
          data-short={isShort}
          aria-label={`Maintenance: ${name}`}
        >
          <Link to="/maintenance" className={classes.title}>
            Maintenance until {until.getTime() - nowMs < DAY_MS ? formatClock(until) : formatDayAndClock(until)}
          </Link>
          <span className={classes.quiet}>{name}</span>
        </section>
      ))}
      {current.length > MAX_SHOWN && (
        <Link to="/maintenance" className={classes.more}>
          {formatCounted(current.length - MAX_SHOWN, 'more maintenance window')}
        </Link>
      )}
    </>
  )
}

interface BannerProps {
  incident: Incident
  nowMs: number
  /** Only the title on a narrow screen. */
  isShort?: boolean
}

function Banner({ incident, nowMs, isShort }: BannerProps) {
  const { id, cause, startedAt } = incident
  const advice = adviseIncident(incident)
  const { units = 'metric' } = useTenantConfig()
  return (
    <section
      className={classes.banner}
      data-cause={isWarning(cause) ? 'warning' : cause}
      data-short={isShort}
      aria-label={isWarning(cause) ? formatIncidentTitle(incident) : `Incident: ${formatIncidentTitle(incident)}`}
    >
      <Link to="/incidents/$id" params={{ id }} className={classes.title}>
        {formatIncidentTitle(incident)}
      </Link>
      <span className={classes.quiet}>
        {explainIncident(incident, units).join(' ')} {advice}
      </span>
      <span className={classes.quiet}>
        Since <TimeAgo at={startedAt} nowMs={nowMs} />
      </span>
    </section>
  )
}
