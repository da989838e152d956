import { Skeleton } from '@mantine/core'
import type { TerminalData } from '#contract/terminal-detail.ts'
import { ChartHead } from './ChartHead.tsx'
import { getChartHeightPx } from './chart-height.ts'
import { measures } from './measures.ts'
import classes from './SignalCharts.module.css'

// The line above a plot, which holds the reading and the menu.
const ABOVE_PX = 24

interface ChartsPlaceholderProps {
  extremes: TerminalData['extremes']
  isExpanded: boolean
}

/** The values of the charts while their code loads, which takes a while on a slow link. */
export function ChartsPlaceholder({ extremes, isExpanded }: ChartsPlaceholderProps) {
  return (
    <div className={classes.grid} data-expanded={isExpanded || undefined} aria-busy="true">
      {measures.map((measure) => (
        <section key={measure.key} aria-label={measure.label}>
          <ChartHead measure={measure} extremes={extremes[measure.key]} />
          <Skeleton height={getChartHeightPx(isExpanded)} mt={ABOVE_PX} radius={4} />
        </section>
      ))}
    </div>
  )
}
