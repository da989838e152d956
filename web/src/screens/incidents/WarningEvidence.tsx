import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, useMemo } from 'react'
import { formatAddress } from '#contract/format/places.ts'
import type { IncidentCause } from '#contract/incident-cause.ts'
import type { MeasureName } from '#contract/measures.ts'
import { type TerminalDetail, terminalDetail } from '#contract/terminal-detail.ts'
import { call } from '../../api.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { LazyBoundary } from '../../parts/LazyBoundary.tsx'
import { LazyTerminalMap } from '../../parts/map/LazyTerminalMap.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { shownStatus } from '../../parts/status.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import classes from './IncidentPage.module.css'

const DriftChart = lazy(() =>
  importWithRetry(() => import('./DriftChart.tsx')).then((it) => ({ default: it.DriftChart })),
)

/** What shows that a warning is justified: a measure over time, or where the terminal is. */
const evidence: Partial<Record<IncidentCause, MeasureName | 'position'>> = {
  'growing obstruction': 'obstruction',
  'fading signal': 'signal_quality',
  'away from address': 'position',
  'near border': 'position',
  abroad: 'position',
}

export const hasEvidence = (cause: IncidentCause) => evidence[cause] !== undefined

interface WarningEvidenceProps {
  cause: IncidentCause
  terminal: { nickname: string; name: string }
  /** The time in the past at which it is shown. */
  at: string | undefined
}

const PERIOD_MIN = 86_400

export function WarningEvidence({ cause, terminal, at }: WarningEvidenceProps) {
  const { nickname, name } = terminal
  const query = useQuery({
    queryKey: ['warning evidence', nickname, at],
    queryFn: ({ signal }) =>
      call(
        terminalDetail.get,
        { kitnumber: nickname, period: PERIOD_MIN, ...(at !== undefined && { at: new Date(at) }) },
        signal,
      ),
  })
  const shown = evidence[cause]
  const { company_name: company = '' } = useTenantConfig()
  if (query.isError) return <QueryFailure what="The terminal could not be loaded." query={query} />
  if (!query.data || shown === undefined) return <Skeleton height={280} radius={12} />
  if (shown === 'position') return <Position name={name} detail={query.data} />
  return (
    <section className={classes.card} aria-label="Evidence">
      <h2>The last 60 days</h2>
      <LazyBoundary what="The chart could not be loaded." fallback={<Skeleton height={280} radius={12} />}>
        <DriftChart detail={query.data} measure={shown} periodMin={PERIOD_MIN} subject={{ terminal: name, company }} />
      </LazyBoundary>
    </section>
  )
}

function Position({ name, detail }: { name: string; detail: TerminalDetail }) {
  const { service_line_data: line } = detail
  const [terminal] = detail.terminal_data
  const points = useMemo(
    () => [
      {
        id: name,
        name,
        place: line.coordinates,
        status: terminal
          ? shownStatus({ status: terminal.status, alerts: terminal.activeAlerts })
          : ('no data' as const),
        address: formatAddress({ ...line, isMobile: line.track !== undefined }) || undefined,
      },
    ],
    [name, line, terminal],
  )
  return (
    <div className={classes.map}>
      <LazyTerminalMap points={points} highlightedId={undefined} onHover={ignore} onPick={ignore} />
    </div>
  )
}

const ignore = () => {}
