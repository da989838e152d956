import type { Signal } from '#contract/terminal-detail.ts'

type Times = readonly Pick<Signal, 'timestamp'>[]

/** The shared time axis of the charts. A gap in the samples has times without a sample. */
export interface Timeline {
  atMs: readonly number[]
  /** The index of the sample at each time; -1 where there is none. */
  points: readonly number[]
}

/** Samples arrive a little early or late; a missing one doubles the distance. */
const gapFactor = 1.5

/** A gap gets an empty time at each end, so that no line crosses it and the cursor inside it finds no value. */
export function layOutTime(signals: Times, stepS: number): Timeline {
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

/** A second series on the axis of the first. */
export interface JoinedTimeline extends Timeline {
  /** The index of the second series' sample at each time; -1 in its gaps, undefined between its samples. */
  others: readonly (number | undefined)[]
}

/**
 * Adds another series to the axis: each of its times goes to the nearest one on the axis, or is inserted in a gap of the first.
 */
export function joinTimelines(own: Timeline, other: Timeline, stepS: number): JoinedTimeline {
  const nearMs = (stepS * 1000 * gapFactor) / 2
  const rows = own.atMs.map((at, index) => ({
    at,
    point: own.points[index] as number,
    other: undefined as number | undefined,
  }))
  const added: typeof rows = []
  let place = 0
  other.atMs.forEach((at, index) => {
    const distance = (row: (typeof rows)[number] | undefined) => Math.abs((row?.at ?? Number.POSITIVE_INFINITY) - at)
    while (distance(rows[place + 1]) <= distance(rows[place])) place++
    const [row, point] = [rows[place], other.points[index] as number]
    if (row && row.point >= 0 && distance(row) <= nearMs) row.other = Math.max(row.other ?? -1, point)
    else added.push({ at, point: -1, other: point })
  })
  const all = added.length === 0 ? rows : [...rows, ...added].sort((a, b) => a.at - b.at)
  return { atMs: all.map(({ at }) => at), points: all.map(({ point }) => point), others: all.map((row) => row.other) }
}
