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

/**
 * 'since 02:14, power was lost', from the newest span of a terminal; undefined if it began before the known
 * history.
 */
export function describeSince(
  newest: AvailabilitySpan | undefined,
  incident: Pick<Incident, 'cause' | 'confidence'> | undefined,
  { knownFrom, nowMs }: { knownFrom: Date; nowMs: number },
): string | undefined {
  if (!newest || newest.from <= knownFrom) return undefined
  const zone = getOwnTimeZone()
  const isToday = toLocalTime(newest.from, zone).day === toLocalTime(nowMs, zone).day
  const since = `since ${isToday ? formatClock(newest.from) : formatDayAndClock(newest.from)}`
  const clause = newest.kind === 'down' && incident && !isWarning(incident.cause) ? clauses[incident.cause] : undefined
  if (!clause || !incident) return since
  return `${since}, ${incident.confidence < CERTAIN ? 'possibly ' : ''}${clause}`
}
