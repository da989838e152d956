import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { availability } from '#contract/availability.ts'
import { formatCounted, formatPercentDown } from '#contract/format/numbers.ts'
import { formatClock } from '#contract/format/times.ts'
import { HALF_HOUR_MS, HALF_HOURS } from '#contract/heartbeat.ts'
import type { TerminalListItem } from '#contract/terminals.ts'
import { callOrCached } from '../../cached-call.ts'
import { measureDay } from '../../parts/fleet/fleet-day.ts'
import classes from './FleetHead.module.css'

const MONTH_MS = 10 * 60_000

const monthQuery = {
  queryKey: ['availability', 'month'],
  queryFn: ({ signal }: { signal: AbortSignal }) => callOrCached(availability.month, {}, signal),
  staleTime: MONTH_MS,
  refetchInterval: MONTH_MS,
}

type Month = Awaited<ReturnType<typeof monthQuery.queryFn>>

const describeUnknown = ({ percent, observedPercent }: Month) =>
  percent === null && observedPercent !== null
    ? `Only ${formatPercentDown(observedPercent, 1)} of this month was observed so far, too little for a share of it.`
    : undefined

/** The availability of this month, with the reason if it is not known. */
export function useMonthShare({ enabled }: { enabled: boolean }) {
  const { data } = useQuery({ ...monthQuery, enabled })
  return {
    text: data?.percent == null ? '-' : formatShare(data.percent / 100, 2),
    reason: data && describeUnknown(data),
  }
}

/** Rounded down, so that 100% means all. */
export const formatShare = (share: number, decimals: number) =>
  share === 1 ? '100%' : formatPercentDown(share * 100, decimals)

/** The radius is 16, so the circumference is about 100 and a unit is a percent. */
export const Ring = ({ share }: { share: number }) => (
  <svg className={classes.ring} viewBox="0 0 40 40" aria-hidden="true">
    <defs>
      <linearGradient id="aurora" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stopColor="var(--aurora-1)" />
        <stop offset="0.5" stopColor="var(--aurora-2)" />
        <stop offset="1" stopColor="var(--aurora-3)" />
      </linearGradient>
    </defs>
    <circle cx="20" cy="20" r="16" className={classes.track} />
    <circle cx="20" cy="20" r="16" className={classes.arc} pathLength={100} strokeDasharray={`${share * 100} 100`} />
  </svg>
)

/** Keeps small changes of a healthy fleet from looking like outages. */
const SMALLEST_RANGE = 0.05

export function Trend({ terminals, halfHour }: { terminals: readonly TerminalListItem[]; halfHour: number }) {
  const day = useMemo(() => measureDay(terminals, halfHour), [terminals, halfHour])
  const known = day.filter((share) => share !== null)
  const lowest = Math.min(...known)
  const floor = Math.min(lowest, 1 - SMALLEST_RANGE)
  const toY = (share: number) => 2 + (36 * (1 - share)) / (1 - floor)
  let path = ''
  for (const [x, share] of day.entries())
    if (share !== null) path += `${x > 0 && day[x - 1] != null ? 'L' : 'M'}${x} ${Math.round(toY(share))}h1`
  const unobserved = day
    .map((share, x) => (share === null ? `M${x} 0h.2v40h-.2ZM${x + 0.5} 0h.2v40h-.2Z` : ''))
    .join('')
  const lowestAt = new Date((halfHour - HALF_HOURS + 1 + day.indexOf(lowest)) * HALF_HOUR_MS)
  const words =
    known.length === 0
      ? 'not observed'
      : lowest === 1
        ? 'all up all the time'
        : `lowest availability ${formatShare(lowest, 1)} at ${formatClock(lowestAt)}`
  return (
    <div className={classes.trend}>
      <svg viewBox={`0 0 ${HALF_HOURS} 40`} preserveAspectRatio="none" role="img">
        <title>{`Availability in the last 24 hours, in ${formatCounted(HALF_HOURS, 'half hour')}: ${words}`}</title>
        <path className={classes.unobserved} d={unobserved} />
        <path d={path} />
      </svg>
      <span className={classes.label}>24 hours: {words}</span>
    </div>
  )
}
