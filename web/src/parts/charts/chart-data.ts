import type { PeriodMin } from '#contract/period.ts'
import type { Signal, SignalBands, Span, TerminalData } from '#contract/terminal-detail.ts'
import { type AxisTime, chooseAxisTime } from './time-text.ts'
import { layOutTime, type Timeline } from './timeline.ts'

/** What the six charts and their table have in common. */
export interface ChartData {
  period: Span
  axisTime: AxisTime
  timeline: Timeline
  signals: readonly Signal[]
  bands: SignalBands | null
  unobserved: readonly Span[]
}

type Performance = Pick<TerminalData, 'signals' | 'stepS' | 'bands' | 'unobserved'>

export const buildChartData = (terminal: Performance, period: Span, periodMin: PeriodMin): ChartData => ({
  period,
  axisTime: chooseAxisTime(periodMin),
  timeline: layOutTime(terminal.signals, terminal.stepS),
  signals: terminal.signals,
  bands: terminal.bands,
  unobserved: terminal.unobserved,
})
