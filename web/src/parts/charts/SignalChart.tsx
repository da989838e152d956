import { useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { formatSampleTime } from '#contract/format/times.ts'
import type { SignalExtremes, Span } from '#contract/terminal-detail.ts'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { ChartData } from './chart-data.ts'
import type { ChartMeasure } from './measures.ts'
import classes from './SignalChart.module.css'
import { type PlotData, SignalPlot } from './signal-plot.ts'
import { alongTimeline } from './timeline.ts'
import { zoomIn } from './zoom.ts'

interface SignalChartProps {
  measure: ChartMeasure
  data: ChartData
  extremes: SignalExtremes[ChartMeasure['key']]
  /** When the last value was measured. */
  lastAt: Date | null
  heightPx: number
  syncKey: string
  /** Shows a part of the time, or all of it. */
  onZoom: (part: Span | undefined) => void
}

/** One measure over time: its extremes, its line, and the value at the pointer or chosen by arrow keys. */
export function SignalChart({ measure, data, extremes, lastAt, heightPx, syncKey, onZoom }: SignalChartProps) {
  const plotData = useMemo(() => buildPlotData(data, measure), [data, measure])
  const [place, setPlace] = useState<{ index: number; atMs: number }>()
  const isEmpty = plotData.values.every((value) => value === null)
  const reading = place && readingAt(data, measure, place)
  return (
    <section className={classes.chart} aria-label={measure.label}>
      <header className={classes.head}>
        <h3 className={classes.name}>
          {measure.label} <small>{measure.unit}</small>
        </h3>
        <dl className={classes.extremes}>
          {(['min', 'max', 'last'] as const).map((which) => (
            <div key={which}>
              <dt>{which.toUpperCase()}</dt>
              <dd>
                {measure.format(extremes[which])}
                {which === 'last' && lastAt && extremes.last !== null && <LastAge at={lastAt} />}
              </dd>
            </div>
          ))}
        </dl>
      </header>
      <p className={classes.reading} aria-hidden="true">
        {reading}
      </p>
      <Plot
        measure={measure}
        plotData={plotData}
        heightPx={heightPx}
        syncKey={syncKey}
        index={place?.index}
        reading={reading}
        onPlace={setPlace}
        onZoom={onZoom}
      />
      {isEmpty && <p className={classes.empty}>No data available</p>}
    </section>
  )
}

const AGE_INTERVAL_MS = 5000

function LastAge({ at }: { at: Date }) {
  const nowMs = useNow(AGE_INTERVAL_MS)
  return (
    <small className={classes.age}>
      <TimeAgo at={at} nowMs={nowMs} />
    </small>
  )
}

interface PlotProps {
  measure: ChartMeasure
  plotData: PlotData
  heightPx: number
  syncKey: string
  index: number | undefined
  reading: string | undefined
  onPlace: (place: { index: number; atMs: number } | undefined) => void
  onZoom: SignalChartProps['onZoom']
}

function Plot({ measure, plotData, heightPx, syncKey, index, reading, onPlace, onZoom }: PlotProps) {
  const target = useRef<HTMLDivElement>(null)
  const plot = useRef<SignalPlot>(null)
  const scheme = useComputedColorScheme('light')
  const latest = useRef({ plotData, onPlace, onZoom })
  useEffect(() => {
    latest.current = { plotData, onPlace, onZoom }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes the colors that are read from the page
  useEffect(() => {
    const element = target.current as HTMLDivElement
    const created = new SignalPlot(element, latest.current.plotData, {
      measure,
      syncKey,
      colors: readColors(element),
      size: { width: element.clientWidth, height: heightPx },
      onCursor: (place) => latest.current.onPlace(place),
      onZoom: (part) => latest.current.onZoom(part),
    })
    plot.current = created
    const watcher = new ResizeObserver(() => created.setWidth(element.clientWidth))
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      created.destroy()
      plot.current = null
    }
  }, [measure, syncKey, heightPx, scheme])

  useEffect(() => plot.current?.setData(plotData), [plotData])

  const last = plotData.times.length - 1
  const move = (event: KeyboardEvent) => {
    const atS = plotData.times[index ?? last]
    if (event.key === '+' && atS !== undefined) return onZoom(zoomIn(plotData.period, atS * 1000))
    if (event.key === '-') return onZoom(undefined)
    const next = last < 0 ? undefined : nextIndex(event.key, index, last)
    if (next === undefined) return
    event.preventDefault()
    plot.current?.pointAt(next === 'none' ? undefined : next)
  }
  return (
    <div
      ref={target}
      className={classes.plot}
      style={{ height: heightPx }}
      role="slider"
      aria-label={`${measure.label} at a time`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={index ?? Math.max(0, last)}
      aria-valuetext={reading ?? (last < 0 ? 'No data available' : 'No time chosen')}
      tabIndex={0}
      onKeyDown={move}
      onBlur={() => plot.current?.pointAt(undefined)}
    />
  )
}

const pageSteps = 20

function nextIndex(key: string, index: number | undefined, last: number): number | 'none' | undefined {
  const within = (next: number) => Math.min(last, Math.max(0, next))
  if (key === 'Escape') return 'none'
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: pageSteps, PageDown: -pageSteps }[key]
  if (step === undefined) return undefined
  return index === undefined ? last : within(index + step)
}

function buildPlotData(data: ChartData, { key, factor }: ChartMeasure): PlotData {
  const { timeline, signals, bands } = data
  const along = (values: readonly (number | null)[]) => alongTimeline(timeline, values, factor)
  return {
    period: data.period,
    unobserved: data.unobserved,
    events: data.events,
    axisTime: data.axisTime,
    times: timeline.atMs.map((ms) => ms / 1000),
    values: along(signals.map((signal) => signal[key])),
    band: bands ? { min: along(bands[key].min), max: along(bands[key].max) } : undefined,
  }
}

/** 'Nov 15, 14:05:15: 12.34 Mbps (0.50 to 80.12 Mbps)'. In a gap it says so, at the time of the pointer. */
function readingAt(data: ChartData, { key, format }: ChartMeasure, { index, atMs }: { index: number; atMs: number }) {
  const point = data.timeline.points[index] ?? -1
  const value = data.signals[point]?.[key] ?? null
  if (value === null) {
    const isUnobserved = data.unobserved.some(({ from, to }) => from.getTime() <= atMs && atMs <= to.getTime())
    return `${formatSampleTime(atMs)}: ${isUnobserved ? 'not observed' : 'no data'}`
  }
  const band = data.bands?.[key]
  const spread = band ? ` (${format(band.min[point] ?? null)} to ${format(band.max[point] ?? null)})` : ''
  return `${formatSampleTime(data.timeline.atMs[index] as number)}: ${format(value)}${spread}`
}

function readColors(element: HTMLElement) {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    line: read('--chart-line'),
    band: read('--chart-band'),
    text: read('--quiet'),
    grid: read('--line'),
    hatch: read('--chart-hatch'),
    outage: read('--chart-outage'),
  }
}
