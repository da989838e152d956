import { formatHeartbeat, getHalfHour, HALF_HOUR_MS, HALF_HOURS, type HeartbeatState } from '#contract/heartbeat.ts'

export interface Span {
  fromMs: number
  toMs: number
}

/** What a feed reported in the last 24 hours, prepared once for all of its terminals. */
export interface FeedDay {
  /** The number of the current half hour. */
  last: number
  halfHours: readonly { within: Span; observed: readonly Span[]; isObserved: boolean }[]
  /** The text for a terminal that was always up. */
  text: string
}

/** The length of silence after which a feed has an incident of its own. */
const SILENT_AFTER_MS = 10 * 60_000

const cut = (spans: readonly Span[], { fromMs, toMs }: Span): Span[] =>
  spans
    .map((span) => ({ fromMs: Math.max(span.fromMs, fromMs), toMs: Math.min(span.toMs, toMs) }))
    .filter((span) => span.fromMs < span.toMs)

const getLength = (spans: readonly Span[]) => spans.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)

/** `spans` are the times at which the feed reported any terminal. */
export const prepareFeedDay = (nowMs: number, spans: readonly Span[]): FeedDay => {
  const last = getHalfHour(nowMs)
  const isSilent = Math.max(...spans.map(({ toMs }) => toMs)) < nowMs - SILENT_AFTER_MS
  const halfHours = Array.from({ length: HALF_HOURS }, (_, index) => {
    const fromMs = (last - HALF_HOURS + 1 + index) * HALF_HOUR_MS
    const within = { fromMs, toMs: fromMs + HALF_HOUR_MS }
    const observed = cut(spans, within)
    // The newest rows have not arrived yet.
    const isObserved = index === HALF_HOURS - 1 ? !isSilent : 2 * getLength(observed) >= HALF_HOUR_MS
    return { within, observed, isObserved }
  })
  const states = halfHours.map(({ isObserved }): HeartbeatState => (isObserved ? 'up' : 'not observed'))
  return { last, halfHours, text: formatHeartbeat(states, last, 0) }
}

/** Evaluates a completed half hour. If less than half of it was observed, it does not count as up. */
const evaluateHalfHour = (observed: readonly Span[], knownSinceMs: number, downs: readonly Span[]): HeartbeatState => {
  const known = cut(observed, { fromMs: knownSinceMs, toMs: Number.POSITIVE_INFINITY })
  const knownMs = getLength(known)
  const downMs = known.reduce((sum, span) => sum + getLength(cut(downs, span)), 0)
  if (downMs > 0) return 2 * downMs >= knownMs ? 'down' : 'partly down'
  return 2 * knownMs >= HALF_HOUR_MS ? 'up' : 'not observed'
}

interface TerminalDay {
  /** Nothing is known before the terminal's first status. */
  knownSinceMs: number
  /** When the terminal was down; an ongoing outage ends at infinity. */
  downs: readonly Span[]
}

export const drawHeartbeat = ({ last, halfHours }: FeedDay, { knownSinceMs, downs }: TerminalDay): string => {
  const states = halfHours.map(({ within, observed, isObserved }, index): HeartbeatState => {
    const isDown = downs.some(({ fromMs, toMs }) => fromMs < within.toMs && toMs > within.fromMs)
    if (!isDown && knownSinceMs <= within.fromMs) return isObserved ? 'up' : 'not observed'
    if (index < HALF_HOURS - 1) return evaluateHalfHour(observed, knownSinceMs, downs)
    // The current half hour shows the terminal's current state.
    if (!isObserved) return 'not observed'
    if (downs.some(({ toMs }) => toMs === Number.POSITIVE_INFINITY)) return 'down'
    return isDown ? 'partly down' : 'up'
  })
  const firstMs = halfHours[0]?.within.fromMs ?? 0
  const times = downs.flatMap(({ fromMs, toMs }) => [fromMs, toMs])
  const changes = times.filter((ms) => ms >= firstMs && Number.isFinite(ms))
  const changeMinute = changes.length === 0 ? 0 : Math.floor((Math.max(...changes) % HALF_HOUR_MS) / 60_000)
  return formatHeartbeat(states, last, changeMinute)
}
