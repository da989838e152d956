import type { Signal } from '#contract/terminal-detail.ts'

/** The common time axis of the charts. A gap in the samples has moments without a sample. */
export interface Timeline {
  atMs: readonly number[]
  /** The index of the sample at each moment; -1 where there is none. */
  points: readonly number[]
}

/** Samples come a little early or late; a missing one doubles the distance. */
const gapFactor = 1.5

/** A gap gets an empty moment at each of its ends, so that no line crosses it and a pointer inside it finds nothing. */
export function layOutTime(signals: readonly Pick<Signal, 'timestamp'>[], stepS: number): Timeline {
  const stepMs = stepS * 1000
  const atMs: number[] = []
  const points: number[] = []
  signals.forEach(({ timestamp }, index) => {
    const before = signals[index - 1]?.timestamp
    if (before !== undefined && timestamp - before > stepMs * gapFactor) {
      atMs.push(before + stepMs / 2, timestamp - stepMs / 2)
      points.push(-1, -1)
    }
    atMs.push(timestamp)
    points.push(index)
  })
  return { atMs, points }
}

export const alongTimeline = (timeline: Timeline, values: readonly (number | null)[], factor: number) =>
  timeline.points.map((point) => {
    const value = values[point]
    return value === null || value === undefined ? null : value * factor
  })
