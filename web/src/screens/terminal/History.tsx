import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type AvailabilitySpan, availability } from '#contract/availability.ts'
import {
  describeStrip,
  drawStrip,
  type KindSpan,
  measureKinds,
  STRIP_HEIGHT,
  STRIP_WIDTH,
} from '#contract/availability-strip.ts'
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

const toKindSpan = ({ kind, from, until }: AvailabilitySpan) => ({
  kind,
  fromMs: from.getTime(),
  toMs: until.getTime(),
})

interface StripProps {
  name: string
  spans: readonly KindSpan[]
  fromMs: number
  toMs: number
}

function Strip({ name, spans, fromMs, toMs }: StripProps) {
  const paths = useMemo(() => drawStrip(spans, { fromMs, toMs }), [spans, fromMs, toMs])
  const seconds = measureKinds(spans, { fromMs, toMs })
  const known = seconds.up + seconds.down
  const share = known === 0 ? null : seconds.up / known
  return (
    <div className={classes.strip}>
      <span className={classes.name}>{name}</span>
      <svg viewBox={`0 0 ${STRIP_WIDTH} ${STRIP_HEIGHT}`} preserveAspectRatio="none" role="img">
        <title>{`${name}: ${describeStrip(seconds)}`}</title>
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
  const { data, dataUpdatedAt: toMs } = useQuery(historyQuery(kitnumber))
  const spans = useMemo(() => (data ? selectSpans(data.spans, terminal).map(toKindSpan) : []), [data, terminal])
  return (
    <div className={classes.history}>
      {data && <Strip name="24 hours" spans={spans} fromMs={toMs - DAY_MS} toMs={toMs} />}
      {data && !data.isCut && <Strip name="30 days" spans={spans} fromMs={toMs - 30 * DAY_MS} toMs={toMs} />}
    </div>
  )
}
