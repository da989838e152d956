import { useComputedColorScheme } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { SignalExtremes, Span } from '#contract/terminal-detail.ts'
import { ChartHead } from './ChartHead.tsx'
import { ChartMenu } from './ChartMenu.tsx'
import type { ChartData } from './chart-data.ts'
import type { ChartSubject } from './export-chart.ts'
import type { ChartMeasure } from './measures.ts'
import { buildPlotData } from './plot-data.ts'
import { describePlace, type Place } from './reading.ts'
import classes from './SignalChart.module.css'
import { type PlotData, SignalPlot } from './signal-plot.ts'
import { zoomIn } from './zoom.ts'

interface SignalChartProps {
  measure: ChartMeasure
  data: ChartData
  subject: ChartSubject
  extremes: SignalExtremes[ChartMeasure['key']]
  heightPx: number
  syncKey: string
  /** Zooms to a part of the period; undefined shows all of it. */
  onZoom: (part: Span | undefined) => void
}

/** One measure over time: its extremes, its line, and the value at the pointer or selected by arrow keys. */
export function SignalChart({ measure, data, subject, extremes, heightPx, syncKey, onZoom }: SignalChartProps) {
  const plotData = useMemo(() => buildPlotData(data, measure), [data, measure])
  const [place, setPlace] = useState<Place>()
  const plot = useRef<SignalPlot>(null)
  const isEmpty = plotData.values.every((value) => value === null)
  const reading = place && describePlace(data, plotData, measure, place)
  return (
    <section className={classes.chart} aria-label={measure.label}>
      <ChartHead measure={measure} extremes={extremes} />
      <div className={classes.above}>
        <p className={classes.reading} aria-hidden="true">
          {reading}
        </p>
        <ChartMenu data={data} plotData={plotData} measure={measure} subject={subject} findPlot={() => plot.current} />
      </div>
      <Plot
        plot={plot}
        measure={measure}
        plotData={plotData}
        heightPx={heightPx}
        syncKey={syncKey}
        index={place?.index}
        reading={reading}
        onPlace={setPlace}
        onZoom={onZoom}
      />
      {isEmpty && (
        <p className={classes.empty}>
          <span>No data available</span>
        </p>
      )}
    </section>
  )
}

interface PlotProps {
  plot: RefObject<SignalPlot | null>
  measure: ChartMeasure
  plotData: PlotData
  heightPx: number
  syncKey: string
  index: number | undefined
  reading: string | undefined
  onPlace: (place: Place | undefined) => void
  onZoom: SignalChartProps['onZoom']
}

function Plot({ plot, measure, plotData, heightPx, syncKey, index, reading, onPlace, onZoom }: PlotProps) {
  const target = useRef<HTMLDivElement>(null)
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
  }, [measure, syncKey, heightPx, scheme, plot])

  useEffect(() => plot.current?.setData(plotData), [plotData, plot])

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

function readColors(element: HTMLElement) {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    line: read('--chart-line'),
    points: read('--chart-points'),
    compared: read('--chart-compared'),
    band: read('--chart-band'),
    text: read('--quiet'),
    grid: read('--line'),
    hatch: read('--chart-hatch'),
    missing: read('--chart-missing'),
    outage: read('--chart-outage'),
    outageHatch: read('--chart-outage-hatch'),
    planned: read('--chart-planned'),
  }
}
