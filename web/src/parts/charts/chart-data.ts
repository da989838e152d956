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
  events: ChartEvents
}

/** What happened to the terminal, drawn behind its values. */
export interface ChartEvents {
  /** When it did not work. */
  outages: readonly Span[]
  /** Commands. */
  marks: readonly { at: Date; label: string }[]
}

type Performance = Pick<TerminalData, 'signals' | 'stepS' | 'bands' | 'unobserved'>

export const buildChartData = (
  terminal: Performance,
  period: Span,
  periodMin: PeriodMin,
  events: ChartEvents,
): ChartData => ({
  period,
  axisTime: chooseAxisTime(periodMin),
  timeline: layOutTime(terminal.signals, terminal.stepS),
  signals: terminal.signals,
  bands: terminal.bands,
  unobserved: terminal.unobserved,
  events: {
    outages: events.outages.filter(({ from, to }) => from < period.to && to > period.from),
    marks: events.marks.filter(({ at }) => at >= period.from && at <= period.to),
  },
})
