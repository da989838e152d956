import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type AvailabilityKind, type AvailabilitySpan, availability } from '#contract/availability.ts'
import { formatLength } from '#contract/format/durations.ts'
import { formatPercentDown } from '#contract/format/numbers.ts'
import type { TerminalData } from '#contract/terminal-detail.ts'
import { callOrCached } from '../../cached-call.ts'
import classes from './History.module.css'

const DAY_MS = 86_400_000
const REFRESH_MS = 60_000

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The last 30 days; the call uses the tenant's days, which may differ from ours by one. */
export const historyQuery = (kitnumber: string) => ({
  queryKey: ['availability', 'history', kitnumber],
  queryFn: ({ signal }: { signal: AbortSignal }) => {
    const nowMs = Date.now()
    const input = { day: toDay(nowMs - 31 * DAY_MS), lastDay: toDay(nowMs + DAY_MS) }
    return callOrCached(availability.terminal, { kitnumber, period: 'custom', ...input }, signal)
  },
  refetchInterval: REFRESH_MS,
})

/** The spans of one terminal of a line, newest first. */
export const selectSpans = (spans: readonly AvailabilitySpan[], { kitnumber }: Pick<TerminalData, 'kitnumber'>) => {
  const own = spans.filter(({ kit }) => kit === kitnumber)
  return own.length > 0 ? own : spans
}

/** The total duration of each kind of time between two times, in seconds. */
export function measureKinds(spans: readonly AvailabilitySpan[], fromMs: number, untilMs: number) {
  const seconds: Record<AvailabilityKind, number> = { up: 0, down: 0, planned: 0, 'not observed': 0 }
  for (const { kind, from, until } of spans) {
    const lengthMs = Math.min(untilMs, until.getTime()) - Math.max(fromMs, from.getTime())
    if (lengthMs > 0) seconds[kind] += lengthMs / 1000
  }
  return seconds
}

const WIDTH = 1000

/** Each kind has its own height or pattern, so that color is never the only cue. */
const tops: Record<Exclude<AvailabilityKind, 'not observed'>, number> = { up: 8, planned: 4, down: 0 }

function buildPaths(spans: readonly AvailabilitySpan[], fromMs: number, untilMs: number) {
  const paths = { up: '', down: '', planned: '', 'not observed': '' }
  const toX = (at: Date) => (WIDTH * (Math.min(untilMs, Math.max(fromMs, at.getTime())) - fromMs)) / (untilMs - fromMs)
  for (const { kind, from, until } of spans) {
    const [left, right] = [toX(from), toX(until)]
    if (right <= left) continue
    if (kind === 'not observed') {
      for (let x = left; x < right; x += 6) paths[kind] += `M${x} 0H${Math.min(right, x + 2)}V12H${x}Z`
      continue
    }
    // A short outage in a long period would be narrower than a pixel.
    const end = kind === 'down' ? Math.max(right, left + 1.5) : right
    paths[kind] += `M${left} ${tops[kind]}H${end}V12H${left}Z`
  }
  return paths
}

interface StripProps {
  name: string
  spans: readonly AvailabilitySpan[]
  fromMs: number
  untilMs: number
}

function Strip({ name, spans, fromMs, untilMs }: StripProps) {
  const paths = useMemo(() => buildPaths(spans, fromMs, untilMs), [spans, fromMs, untilMs])
  const seconds = measureKinds(spans, fromMs, untilMs)
  const known = seconds.up + seconds.down
  const share = known === 0 ? null : seconds.up / known
  const parts = (['down', 'planned', 'not observed'] as const)
    .filter((kind) => seconds[kind] >= 1)
    .map((kind) => `${formatLength(seconds[kind])} ${kind}`)
  return (
    <div className={classes.strip}>
      <span className={classes.name}>{name}</span>
      <svg viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" role="img">
        <title>{`${name}: ${parts.join(', ') || 'up'}`}</title>
        <path className={classes.unknown} d={paths['not observed']} />
        <path className={classes.up} d={paths.up} />
        <path className={classes.planned} d={paths.planned} />
        <path className={classes.down} d={paths.down} />
      </svg>
      <span className={classes.percent}>
        {share === null ? '-' : share === 1 ? '100%' : formatPercentDown(share * 100, 2)}
      </span>
    </div>
  )
}

/** The terminal's uptime in the last 24 hours and 30 days. */
export function History({ kitnumber, terminal }: { kitnumber: string; terminal: TerminalData }) {
  const { data, dataUpdatedAt: untilMs } = useQuery(historyQuery(kitnumber))
  const spans = useMemo(() => (data ? selectSpans(data.spans, terminal) : []), [data, terminal])
  return (
    <div className={classes.history}>
      <Strip name="24 hours" spans={spans} fromMs={untilMs - DAY_MS} untilMs={untilMs} />
      {!data?.isCut && <Strip name="30 days" spans={spans} fromMs={untilMs - 30 * DAY_MS} untilMs={untilMs} />}
    </div>
  )
}
