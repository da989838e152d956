import type { AvailabilitySpan } from '#contract/availability.ts'
import { formatClock, formatDayAndClock, getOwnTimeZone, toLocalTime } from '#contract/format/times.ts'
import { isWarning, type OutageCause } from '#contract/incident-cause.ts'
import type { Incident } from '#contract/incidents.ts'

const clauses: Record<OutageCause, string | undefined> = {
  network: 'the network is out',
  power: 'power was lost',
  restart: 'it is starting again',
  obstruction: 'the sky is blocked',
  equipment: 'the dish reported a fault',
  disabled: 'the service is disabled',
  quota: 'the data is used up',
  planned: 'it is planned',
  'not observed': 'no data reaches us',
  unknown: undefined,
}

const CERTAIN = 0.75

/** Planned downtime counts otherwise, but the terminal is as offline as before and after it. */
const toState = ({ kind }: AvailabilitySpan) => (kind === 'planned' ? 'down' : kind)

/** When a terminal became what it is, as far as is known: a time without data is no change. */
function findStart(newest: AvailabilitySpan, spans: readonly AvailabilitySpan[]) {
  let { from } = newest
  for (const span of spans) {
    if (toState(span) === toState(newest)) from = span.from
    else if (span.kind !== 'not observed') break
  }
  return from
}

/**
 * 'since 02:14, power was lost', from the spans of a terminal, newest first; undefined if it began before the known
 * history.
 */
export function describeSince(
  spans: readonly AvailabilitySpan[],
  incident: Pick<Incident, 'cause' | 'confidence'> | undefined,
  { knownFrom, nowMs }: { knownFrom: Date; nowMs: number },
): string | undefined {
  const [newest] = spans
  if (!newest) return undefined
  const from = findStart(newest, spans)
  if (from <= knownFrom) return undefined
  const zone = getOwnTimeZone()
  const isToday = toLocalTime(from, zone).day === toLocalTime(nowMs, zone).day
  const since = `since ${isToday ? formatClock(from) : formatDayAndClock(from)}`
  const clause = newest.kind === 'down' && incident && !isWarning(incident.cause) ? clauses[incident.cause] : undefined
  if (!clause || !incident) return since
  return `${since}, ${incident.confidence < CERTAIN ? 'possibly ' : ''}${clause}`
}
