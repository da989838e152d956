import { useId, useMemo, useState } from 'react'
import type { MeasureName } from '#contract/measures.ts'
import type { PeriodMin } from '#contract/period.ts'
import type { Span, TerminalData, TerminalDetail } from '#contract/terminal-detail.ts'
import { ChartLegend } from '../../parts/charts/ChartLegend.tsx'
import { buildChartData } from '../../parts/charts/chart-data.ts'
import type { ChartSubject } from '../../parts/charts/export-chart.ts'
import { type ChartMeasure, measures } from '../../parts/charts/measures.ts'
import { SignalChart } from '../../parts/charts/SignalChart.tsx'
import classes from '../../parts/charts/SignalCharts.module.css'

interface DriftChartProps {
  detail: TerminalDetail
  measure: MeasureName
  periodMin: PeriodMin
  subject: ChartSubject
}

const noEvents = { outages: [], planned: [], marks: [], isLoading: false }
const HEIGHT_PX = 240

/** The measure that a warning is about, over the weeks in which it changed. */
export function DriftChart({ detail, measure, periodMin, subject }: DriftChartProps) {
  const [terminal] = detail.terminal_data
  const shown = measures.find(({ key }) => key === measure)
  if (!terminal || !shown) return null
  return <Chart terminal={terminal} measure={shown} period={detail.period} periodMin={periodMin} subject={subject} />
}

interface ChartProps {
  terminal: TerminalData
  measure: ChartMeasure
  period: Span
  periodMin: PeriodMin
  subject: ChartSubject
}

function Chart({ terminal, measure, period, periodMin, subject }: ChartProps) {
  const syncKey = useId()
  const [part, setPart] = useState<Span>()
  const shown = part ?? period
  const data = useMemo(
    () =>
      buildChartData(terminal, { period: shown, periodMin, line: 'average', compared: undefined, events: noEvents }),
    [terminal, shown, periodMin],
  )
  const extremes = terminal.extremes[measure.key]
  return (
    <div className={classes.charts}>
      <SignalChart
        measure={measure}
        data={data}
        subject={subject}
        extremes={extremes}
        syncKey={syncKey}
        heightPx={HEIGHT_PX}
        onZoom={setPart}
      />
      <ChartLegend data={data} onPoint={() => {}} />
    </div>
  )
}
