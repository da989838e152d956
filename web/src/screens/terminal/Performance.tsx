import { Button, Loader, Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { type PeriodMin, periodsMin } from '#contract/period.ts'
import { type TerminalData, type TerminalDetail, terminalDetail } from '#contract/terminal-detail.ts'
import { getErrorMessage, request } from '../../api.ts'
import { useTenantConfig } from '../../brand/tenant.ts'
import { ChartsPlaceholder } from '../../parts/charts/ChartsPlaceholder.tsx'
import { formatZoom, parseZoom } from '../../parts/charts/zoom.ts'
import { getDisplayName } from '../../parts/fleet/fleet.ts'
import { LazyBoundary } from '../../parts/LazyBoundary.tsx'
import { QueryFailure } from '../../parts/QueryFailure.tsx'
import { useAt } from '../../past-search.ts'
import { importWithRetry } from '../../ui/import-with-retry.ts'
import { notice } from '../../ui/notice.ts'
import { saveFile } from '../../ui/save-file.ts'
import { useIsNarrow } from '../../ui/use-is-narrow.ts'
import { inThePast } from './control.ts'
import classes from './Performance.module.css'
import { defaultPeriodMin, type TerminalSearch } from './terminal-search.ts'
import { useChartEvents } from './use-chart-events.ts'
import { useComparison } from './use-comparison.ts'

const route = getRouteApi('/terminal/$kitnumber')

const SignalCharts = lazy(() =>
  importWithRetry(() => import('../../parts/charts/SignalCharts.tsx')).then((it) => ({ default: it.SignalCharts })),
)

const ChartOptions = lazy(() =>
  importWithRetry(() => import('./ChartOptions.tsx')).then((it) => ({ default: it.ChartOptions })),
)

const periodLabels: Record<PeriodMin, string> = {
  15: '15 MIN',
  180: '3 HRS',
  1440: '24 HRS',
  10080: '7 DAYS',
  43200: '30 DAYS',
  86400: '60 DAYS',
}

export interface Reload {
  /** The displayed data is not that of the chosen period, or is being refreshed. */
  isLoading: boolean
  error: Error | null
  refetch: () => void
}

interface PerformanceProps {
  terminal: TerminalData
  detail: TerminalDetail
  kitnumber: string
  reload: Reload
}

/** The six charts of a terminal under their toolbar. */
export function Performance({ terminal, detail, kitnumber, reload }: PerformanceProps) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { period: periodMin = defaultPeriodMin, view = 'charts', expanded = false, line = 'average', compare } = search
  const zoom = parseZoom(search.zoom, detail.period)
  const events = useChartEvents(terminal, detail, kitnumber)
  const { compared, problem } = useComparison({ kitnumber, detail, terminal, period: periodMin, compare })
  const [hasOptions, setOptions] = useState(search.line !== undefined || compare !== undefined)
  const { company_name: company = '' } = useTenantConfig()
  const { nickname } = detail.service_line_data
  const subject = { terminal: getDisplayName(detail.service_line_data), company }
  const show = (change: Partial<TerminalSearch>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  // On a phone the charts come first; the table is long, so that nobody would find the way back below it.
  const isNarrow = useIsNarrow()
  const isBelow = isNarrow && view === 'charts'
  const actions = (
    <div className={classes.actions}>
      <Download kitnumber={kitnumber} periodMin={periodMin} />
      <Button variant="default" h="var(--touch)" onClick={() => show({ expanded: expanded ? undefined : true })}>
        {expanded ? 'Collapse Chart' : 'Expand Chart'}
      </Button>
      <Button variant="default" h="var(--touch)" onClick={reload.refetch}>
        Update Chart
      </Button>
      <Button variant="default" h="var(--touch)" onClick={() => show({ view: view === 'table' ? undefined : 'table' })}>
        {view === 'table' ? 'Show Charts' : 'Show Table'}
      </Button>
      <Button variant="default" h="var(--touch)" aria-expanded={hasOptions} onClick={() => setOptions(!hasOptions)}>
        Chart Options
      </Button>
    </div>
  )
  const options = hasOptions && (
    <LazyBoundary what="The options could not be loaded." fallback={<div className={classes.optionsSpace} />}>
      <ChartOptions search={search} nickname={nickname} problem={problem} onChange={show} />
    </LazyBoundary>
  )
  return (
    <section className={classes.performance} aria-label="Performance">
      <div className={classes.toolbar}>
        <fieldset className={classes.periods}>
          <legend className="visually-hidden">Period</legend>
          {periodsMin.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === periodMin}
              onClick={() => show({ period: each === defaultPeriodMin ? undefined : each, zoom: undefined })}
            >
              {periodLabels[each]}
            </button>
          ))}
        </fieldset>
        {zoom && (
          <Button variant="default" h="var(--touch)" onClick={() => show({ zoom: undefined })}>
            Reset Zoom
          </Button>
        )}
        {!isBelow && actions}
      </div>
      {!isBelow && options}
      {reload.error ? (
        <QueryFailure what="The charts could not be loaded." query={reload} />
      ) : (
        <div className={classes.charts} data-loading={reload.isLoading || undefined} aria-busy={reload.isLoading}>
          <LazyBoundary
            what="The charts could not be loaded."
            fallback={
              view === 'table' ? (
                <Skeleton height={640} radius={12} />
              ) : (
                <ChartsPlaceholder extremes={terminal.extremes} isExpanded={expanded} />
              )
            }
          >
            <SignalCharts
              terminal={terminal}
              subject={subject}
              line={line}
              compared={compared}
              period={zoom ?? detail.period}
              periodMin={periodMin}
              isExpanded={expanded}
              view={view}
              events={events}
              onZoom={(part) => show({ zoom: part && formatZoom(part) })}
            />
          </LazyBoundary>
          {reload.isLoading && (
            <div className={classes.spinner} role="status">
              <Loader />
              <span>Loading...</span>
            </div>
          )}
        </div>
      )}
      {isBelow && actions}
      {isBelow && options}
    </section>
  )
}

function Download({ kitnumber, periodMin }: { kitnumber: string; periodMin: PeriodMin }) {
  const [isLoading, setLoading] = useState(false)
  const isPast = useAt() !== undefined
  const download = async () => {
    setLoading(true)
    try {
      const response = await request(terminalDetail.download, { kitnumber, period: periodMin })
      saveFile(await response.blob(), `${kitnumber}-${periodLabels[periodMin].replace(' ', '-').toLowerCase()}.csv`)
    } catch (error) {
      console.warn(error)
      notice.error(`Error downloading CSV: ${getErrorMessage(error)}`)
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      variant="default"
      h="var(--touch)"
      loading={isLoading}
      disabled={isPast}
      title={isPast ? inThePast : undefined}
      onClick={download}
    >
      Download CSV
    </Button>
  )
}
