import type { PeriodMin } from '#contract/period.ts'
import type { Signal, SignalBands, Span, TerminalData } from '#contract/terminal-detail.ts'
import { findMissing } from './missing.ts'
import type { ChartLine } from './quantile.ts'
import { type AxisTime, chooseAxisTime } from './time-text.ts'
import { type JoinedTimeline, joinTimelines, layOutTime } from './timeline.ts'

/** What the six charts and their table have in common. */
export interface ChartData {
  period: Span
  periodMin: PeriodMin
  axisTime: AxisTime
  line: ChartLine
  timeline: JoinedTimeline
  signals: readonly Signal[]
  stepS: number
  bands: SignalBands | null
  compared: Compared | undefined
  unobserved: readonly Span[]
  /** Times without values for no reason that the chart shows. */
  missing: readonly Span[]
  events: ChartEvents
}

/** Another period or terminal, drawn behind the values. */
export interface Compared {
  name: string
  signals: readonly Signal[]
  stepS: number
}

/** A command to the terminal, or a restart. */
export interface ChartMark {
  at: Date
  /** What was done, by whom, and the result. */
  label: string
}

/** Events of the terminal, drawn behind its values. */
export interface ChartEvents {
  /** When it was down. */
  outages: readonly Span[]
  /** Maintenance windows. */
  planned: readonly (Span & { name: string | null })[]
  /** Commands and restarts. */
  marks: readonly ChartMark[]
  /** While it loads, a time without values may still turn out to be an outage. */
  isLoading: boolean
}

type Performance = Pick<TerminalData, 'signals' | 'stepS' | 'bands' | 'unobserved'>

interface Shown {
  period: Span
  periodMin: PeriodMin
  line: ChartLine
  compared: Compared | undefined
  events: ChartEvents
}

export function buildChartData(terminal: Performance, shown: Shown): ChartData {
  const { period, periodMin, line, compared, events } = shown
  const isShown = ({ from, to }: Span) => from < period.to && to > period.from
  const own = layOutTime(terminal.signals, terminal.stepS)
  const explained = [...terminal.unobserved, ...events.outages, ...events.planned]
  const other = layOutTime(compared?.signals ?? [], compared?.stepS ?? terminal.stepS)
  return {
    period,
    periodMin,
    line,
    compared,
    axisTime: chooseAxisTime(periodMin),
    timeline: joinTimelines(own, other, terminal.stepS),
    signals: terminal.signals,
    stepS: terminal.stepS,
    bands: terminal.bands,
    unobserved: terminal.unobserved,
    missing: events.isLoading ? [] : findMissing(terminal.signals, { period, stepS: terminal.stepS, explained }),
    events: {
      outages: events.outages.filter(isShown),
      planned: events.planned.filter(isShown),
      marks: events.marks.filter(({ at }) => at >= period.from && at <= period.to),
      isLoading: events.isLoading,
    },
  }
}
