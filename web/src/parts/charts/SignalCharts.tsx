import { useId, useMemo } from 'react'
import { formatExactTime } from '#contract/format/times.ts'
import type { PeriodMin } from '#contract/period.ts'
import type { Span, TerminalData } from '#contract/terminal-detail.ts'
import { buildChartData, type ChartEvents } from './chart-data.ts'
import { measures } from './measures.ts'
import { SignalChart } from './SignalChart.tsx'
import classes from './SignalCharts.module.css'
import { SignalTable } from './SignalTable.tsx'

interface SignalChartsProps {
  terminal: Pick<TerminalData, 'signals' | 'stepS' | 'bands' | 'unobserved' | 'extremes'>
  period: Span
  periodMin: PeriodMin
  isExpanded: boolean
  view: 'charts' | 'table'
  events: ChartEvents
  onZoom: (part: Span | undefined) => void
}

const heightPx = { grid: 160, expanded: 320 }

/** Six measures over the same time, as charts with one cursor or as a table. */
export function SignalCharts(props: SignalChartsProps) {
  const { terminal, period, periodMin, isExpanded, view, events, onZoom } = props
  const syncKey = useId()
  const data = useMemo(() => buildChartData(terminal, period, periodMin, events), [terminal, period, periodMin, events])
  return (
    <div className={classes.charts}>
      {view === 'table' ? (
        <SignalTable data={data} />
      ) : (
        <div className={classes.grid} data-expanded={isExpanded || undefined}>
          {measures.map((measure) => (
            <SignalChart
              key={measure.key}
              measure={measure}
              data={data}
              extremes={terminal.extremes[measure.key]}
              lastAt={terminal.extremes[measure.key].lastAt}
              heightPx={isExpanded ? heightPx.expanded : heightPx.grid}
              syncKey={syncKey}
              onZoom={onZoom}
            />
          ))}
        </div>
      )}
      <Legend hasBand={data.bands !== null} unobserved={data.unobserved} events={data.events} />
    </div>
  )
}

interface LegendProps {
  hasBand: boolean
  unobserved: readonly Span[]
  events: ChartEvents
}

function Legend({ hasBand, unobserved, events }: LegendProps) {
  return (
    <ul className={classes.legend}>
      {hasBand && (
        <li>
          <span className={classes.bandKey} aria-hidden="true" />
          Average, and the band from the lowest to the highest sample behind it
        </li>
      )}
      {events.outages.length > 0 && (
        <li>
          <span className={classes.outageKey} aria-hidden="true" />
          Down
        </li>
      )}
      {events.marks.map(({ at, label }) => (
        <li key={`${at.getTime()} ${label}`}>
          <span className={classes.markKey} aria-hidden="true" />
          {label}: {formatExactTime(at)}
        </li>
      ))}
      {unobserved.map(({ from, to }) => (
        <li key={from.getTime()}>
          <span className={classes.hatchKey} aria-hidden="true" />
          Not observed, our own feed was silent: {formatExactTime(from)} to {formatExactTime(to)}
        </li>
      ))}
    </ul>
  )
}
