import { incidentReaches } from '#contract/incident-cause.ts'
import type { Incident } from '#contract/incidents.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** The length of the slider, and the size of its steps. */
export const ranges = [
  { label: '24 h', ms: DAY_MS, stepMs: MINUTE_MS },
  { label: '7 d', ms: 7 * DAY_MS, stepMs: 5 * MINUTE_MS },
  { label: '30 d', ms: 30 * DAY_MS, stepMs: 15 * MINUTE_MS },
] as const
export type Range = (typeof ranges)[number]

/** The shortest range that contains the time; the longest for earlier times. */
export const findRange = (atMs: number, nowMs: number): Range =>
  ranges.find(({ ms }) => atMs >= nowMs - ms) ?? (ranges.at(-1) as Range)

/** Seconds of the past per second of playback. */
export const speeds = [60, 300, 900, 3600] as const
export type Speed = (typeof speeds)[number]

/** Marks are as far apart as this, so that each can be seen and pointed at. */
export const COLUMN_PX = 4

export interface Mark {
  /** Position on the slider, in columns. */
  column: number
  /** The one that matters most of those at this time. */
  worst: Incident
  count: number
}

const isHarmless = ({ cause }: Incident) => cause === 'planned' || cause === 'not observed'

const compareSeverity = (a: Incident, b: Incident) =>
  Number(isHarmless(a)) - Number(isHarmless(b)) ||
  incidentReaches.indexOf(b.reach) - incidentReaches.indexOf(a.reach) ||
  b.terminals - a.terminals

/** One mark for each column of the slider in which there were incidents. */
export const placeMarks = (incidents: readonly Incident[], range: Range, nowMs: number, columns: number): Mark[] => {
  const findColumn = (atMs: number) => Math.floor(((atMs - (nowMs - range.ms)) / range.ms) * columns)
  const marks = new Map<number, Mark>()
  for (const incident of incidents.toSorted(compareSeverity)) {
    const first = Math.max(0, findColumn(incident.startedAt.getTime()))
    const last = Math.min(columns - 1, findColumn(incident.endedAt?.getTime() ?? nowMs))
    for (let column = first; column <= last; column++) {
      const mark = marks.get(column)
      if (mark) mark.count++
      else marks.set(column, { column, worst: incident, count: 1 })
    }
  }
  return [...marks.values()].sort((a, b) => a.column - b.column)
}

/** The start of the next incident after the time, or of the previous one. */
export const findNeighbor = (incidents: readonly Incident[], atMs: number, direction: 1 | -1) => {
  // One minute later, so that the incident is visible.
  const times = incidents.map(({ openedAt }) => openedAt.getTime() + MINUTE_MS).sort((a, b) => (a - b) * direction)
  return times.find((ms) => (ms - atMs) * direction > MINUTE_MS)
}
