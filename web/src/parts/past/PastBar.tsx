import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { formatDateTime, formatMoment } from '#contract/format/times.ts'
import { isWarning } from '#contract/incident-cause.ts'
import { toAt } from '../../past-search.ts'
import { IncidentMarks } from './IncidentMarks.tsx'
import { loadIncidents } from './load-incidents.ts'
import { toLocalInput } from './local-input.ts'
import classes from './PastBar.module.css'
import { findNeighbor, findRange, type Range, ranges, type Speed, speeds } from './timeline.ts'
import { usePlayback } from './use-playback.ts'

const SETTLE_MS = 250

const incidentsQuery = (range: Range, nowMs: number) =>
  queryOptions({
    queryKey: ['incidents', 'marks', range.label],
    queryFn: ({ signal }) => loadIncidents(nowMs - range.ms, signal),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

interface PastBarProps {
  at: string
  /** Whether the current page can show the past. */
  showsPast: boolean
}

/** Shows which time the page displays, with controls to change it. */
export function PastBar({ at, showsPast }: PastBarProps) {
  const navigate = useNavigate()
  const show = useCallback(
    (next: string | undefined) =>
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, at: next }),
        replace: next !== undefined,
        resetScroll: false,
      }),
    [navigate],
  )
  return (
    <section className={classes.bar} aria-label="Time travel">
      <p className={classes.time} role="status">
        {showsPast ? `As of ${formatDateTime(Date.parse(at))}` : 'This page shows the present.'}
      </p>
      {showsPast && <Controls key={findRange(Date.parse(at), Date.now()).label} at={at} onShow={show} />}
      <Button className={classes.back} size="compact-sm" h="var(--touch)" onClick={() => show(undefined)}>
        Back to live
      </Button>
    </section>
  )
}

function Controls({ at, onShow }: { at: string; onShow: (at: string) => void }) {
  const atMs = Date.parse(at)
  const [nowMs] = useState(Date.now)
  const [range, setRange] = useState(findRange(atMs, nowMs))
  const [speed, setSpeed] = useState<Speed>(300)
  const [isPlaying, setPlaying] = useState(false)
  // While the thumb is dragged, the page updates only when it rests.
  const [draggedMs, setDragged] = useState<number>()
  const commit = useDebouncedCallback((ms: number) => {
    setDragged(undefined)
    onShow(toAt(ms))
  }, SETTLE_MS)
  const pause = useCallback(() => setPlaying(false), [])
  usePlayback({ at, speed: isPlaying ? speed : undefined, onStep: onShow, onEnd: pause })
  const { data } = useQuery(incidentsQuery(range, nowMs))
  const known = data?.incidents.filter(({ cause }) => !isWarning(cause)) ?? []
  const shownMs = Math.max(nowMs - range.ms, draggedMs ?? atMs)
  const jump = (direction: 1 | -1) => {
    const ms = findNeighbor(known, atMs, direction)
    if (ms === undefined) return undefined
    return () => {
      pause()
      onShow(toAt(Math.min(ms, Date.now())))
    }
  }
  return (
    <>
      <input
        type="datetime-local"
        className={classes.exact}
        aria-label="Time"
        value={toLocalInput(atMs)}
        max={toLocalInput(nowMs)}
        onChange={({ currentTarget }) => {
          const ms = new Date(currentTarget.value).getTime()
          if (Number.isFinite(ms) && ms <= Date.now()) onShow(toAt(ms))
        }}
      />
      <SegmentedControl
        aria-label="Range"
        size="xs"
        value={range.label}
        onChange={(label) => setRange(ranges.find((each) => each.label === label) ?? ranges[0])}
        data={ranges.map(({ label }) => label)}
      />
      <div className={classes.slider}>
        <IncidentMarks incidents={known} completeSinceMs={data?.completeSinceMs} range={range} nowMs={nowMs} />
        <input
          type="range"
          aria-label="Time on the slider"
          aria-valuetext={formatMoment(shownMs)}
          min={nowMs - range.ms}
          max={nowMs}
          step={range.stepMs}
          value={shownMs}
          onChange={({ currentTarget }) => {
            pause()
            setDragged(Number(currentTarget.value))
            commit(Number(currentTarget.value))
          }}
        />
        {draggedMs !== undefined && <output className={classes.dragged}>{formatMoment(draggedMs)}</output>}
      </div>
      <div className={classes.buttons}>
        <Step label="Previous incident" text="‹ Incident" onClick={jump(-1)} />
        <Step label="Next incident" text="Incident ›" onClick={jump(1)} />
        <Button variant="default" size="compact-sm" h="var(--touch)" onClick={() => setPlaying(!isPlaying)}>
          {isPlaying ? 'Pause' : 'Play'}
        </Button>
        <NativeSelect
          aria-label="Speed"
          value={String(speed)}
          onChange={({ currentTarget }) => setSpeed(Number(currentTarget.value) as Speed)}
          data={speeds.map((each) => ({ value: String(each), label: `${each}×` }))}
          styles={{ input: { height: 'var(--touch)', minHeight: 'var(--touch)' } }}
        />
      </div>
    </>
  )
}

interface StepProps {
  label: string
  text: string
  /** Undefined if there is none. */
  onClick: (() => void) | undefined
}

const Step = ({ label, text, onClick }: StepProps) => (
  <Button
    variant="default"
    size="compact-sm"
    h="var(--touch)"
    aria-label={label}
    disabled={!onClick}
    title={onClick ? undefined : 'No incident is known there.'}
    onClick={onClick ?? (() => {})}
  >
    {text}
  </Button>
)
