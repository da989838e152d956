import { useId, useMemo } from 'react'
import type { PeriodMin } from '#contract/period.ts'
import type { Span, TerminalData } from '#contract/terminal-detail.ts'
import { ChartLegend } from './ChartLegend.tsx'
import { buildChartData, type ChartEvents, type Compared } from './chart-data.ts'
import { getChartHeightPx } from './chart-height.ts'
import type { ChartSubject } from './export-chart.ts'
import { measures } from './measures.ts'
import type { ChartLine } from './quantile.ts'
import { SignalChart } from './SignalChart.tsx'
import classes from './SignalCharts.module.css'
import { SignalTable } from './SignalTable.tsx'
import { pointAllAt } from './signal-plot.ts'

interface SignalChartsProps {
  terminal: Pick<TerminalData, 'signals' | 'stepS' | 'bands' | 'unobserved' | 'extremes'>
  subject: ChartSubject
  period: Span
  periodMin: PeriodMin
  line: ChartLine
  compared: Compared | undefined
  isExpanded: boolean
  view: 'charts' | 'table'
  events: ChartEvents
  onZoom: (part: Span | undefined) => void
}

/** Six measures over the same time, as charts with one cursor or as a table. */
export function SignalCharts(props: SignalChartsProps) {
  const { terminal, subject, period, periodMin, line, compared, isExpanded, view, events, onZoom } = props
  const syncKey = useId()
  const data = useMemo(
    () => buildChartData(terminal, { period, periodMin, line, compared, events }),
    [terminal, period, periodMin, line, compared, events],
  )
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
              subject={subject}
              extremes={terminal.extremes[measure.key]}
              heightPx={getChartHeightPx(isExpanded)}
              syncKey={syncKey}
              onZoom={onZoom}
            />
          ))}
        </div>
      )}
      <ChartLegend data={data} onPoint={(at) => pointAllAt(syncKey, at && at.getTime() / 1000)} />
    </div>
  )
}
