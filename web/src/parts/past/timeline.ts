import type { Incident } from '#contract/incidents.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** How far back the slider reaches, and how far one step of it goes. */
export const ranges = [
  { label: '24 h', ms: DAY_MS, stepMs: MINUTE_MS },
  { label: '7 d', ms: 7 * DAY_MS, stepMs: 5 * MINUTE_MS },
  { label: '30 d', ms: 30 * DAY_MS, stepMs: 15 * MINUTE_MS },
] as const
export type Range = (typeof ranges)[number]

/** The shortest range that contains the time; the longest for what is further back. */
export const findRange = (atMs: number, nowMs: number): Range =>
  ranges.find(({ ms }) => atMs >= nowMs - ms) ?? (ranges.at(-1) as Range)

/** So much of the past goes by in one second. */
export const speeds = [60, 300, 900, 3600] as const
export type Speed = (typeof speeds)[number]

export interface Mark {
  id: string
  incident: Incident
  /** Along the slider, 0 to 1. */
  from: number
  to: number
}

/** The incidents of the range, as parts of the slider. */
export const placeMarks = (incidents: readonly Incident[], range: Range, nowMs: number): Mark[] => {
  const place = (atMs: number) => Math.min(1, Math.max(0, (atMs - (nowMs - range.ms)) / range.ms))
  return incidents
    .filter(({ endedAt }) => (endedAt?.getTime() ?? nowMs) >= nowMs - range.ms)
    .map((incident) => ({
      id: incident.id,
      incident,
      from: place(incident.startedAt.getTime()),
      to: place(incident.endedAt?.getTime() ?? nowMs),
    }))
}

/** The beginning of the next incident after the time, or of the one before it. */
export const findNeighbor = (incidents: readonly Incident[], atMs: number, direction: 1 | -1) => {
  // One minute on, so that the incident is there.
  const times = incidents.map(({ openedAt }) => openedAt.getTime() + MINUTE_MS).sort((a, b) => (a - b) * direction)
  return times.find((ms) => (ms - atMs) * direction > MINUTE_MS)
}
