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

export interface Mark {
  id: string
  incident: Incident
  /** Position on the slider, 0 to 1. */
  from: number
  to: number
}

/** The incidents of the range, as marks on the slider. */
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

/** The start of the next incident after the time, or of the previous one. */
export const findNeighbor = (incidents: readonly Incident[], atMs: number, direction: 1 | -1) => {
  // One minute later, so that the incident is visible.
  const times = incidents.map(({ openedAt }) => openedAt.getTime() + MINUTE_MS).sort((a, b) => (a - b) * direction)
  return times.find((ms) => (ms - atMs) * direction > MINUTE_MS)
}
