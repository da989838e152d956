import type { AvailabilityKind, Figures } from '#contract/availability.ts'
import type { Span } from '../maintenance/occurrences.ts'

/** Sorted spans that do not overlap, with the time they cover. */
interface Cover {
  spans: readonly Span[]
  /** The covered milliseconds before a time. */
  countUntil: (atMs: number) => number
}

const createCover = (spans: readonly Span[]): Cover => {
  const starts = Float64Array.from(spans, ({ fromMs }) => fromMs)
  const sums = new Float64Array(spans.length)
  let sum = 0
  for (const [index, { fromMs, toMs }] of spans.entries()) {
    sums[index] = sum
    sum += toMs - fromMs
  }
  return {
    spans,
    countUntil: (atMs) => {
      let low = 0
      let high = starts.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((starts[middle] as number) < atMs) low = middle + 1
        else high = middle
      }
      if (low === 0) return 0
      const { fromMs, toMs } = spans[low - 1] as Span
      return (sums[low - 1] as number) + Math.min(atMs, toMs) - fromMs
    },
  }
}

/** The parts of the first spans that are outside the others; both are sorted and do not overlap. */
export const subtractSpans = (spans: readonly Span[], others: readonly Span[]): Span[] => {
  const left: Span[] = []
  let next = 0
  for (const span of spans) {
    let { fromMs } = span
    while (next > 0 && (others[next - 1] as Span).toMs > fromMs) next--
    for (; next < others.length && (others[next] as Span).fromMs < span.toMs; next++) {
      const other = others[next] as Span
      if (other.toMs <= fromMs) continue
      if (other.fromMs > fromMs) left.push({ fromMs, toMs: other.fromMs })
      fromMs = Math.max(fromMs, other.toMs)
    }
    if (fromMs < span.toMs) left.push({ fromMs, toMs: span.toMs })
  }
  return left
}

/** Shared by terminals with the same feed and the same maintenance windows. */
export interface Circumstances {
  planned: Cover
  /** When the feed was observed and nothing was planned: only this time counts as up or down. */
  counted: Cover
}

export const createCircumstances = (observed: readonly Span[], planned: readonly Span[]): Circumstances => ({
  planned: createCover(planned),
  counted: createCover(subtractSpans(observed, planned)),
})

export interface TerminalHistory {
  /** From its first status to its removal, within the period; null if it did not exist in it. */
  life: Span | null
  /** When it was down, sorted and without overlaps. */
  outages: readonly Span[]
  circumstances: Circumstances
}

/** Milliseconds of each kind, which add up to the period. */
export interface Measured {
  periodMs: number
  upMs: number
  downMs: number
  plannedMs: number
  outages: number
  longestMs: number
}

const countWithin = ({ countUntil }: Cover, fromMs: number, toMs: number) => countUntil(toMs) - countUntil(fromMs)

/** Classifies a terminal's time in a period. Outages exclude time that was planned or not observed. */
export const measure = ({ life, outages, circumstances }: TerminalHistory, periodMs: number): Measured => {
  const measured = { periodMs, upMs: 0, downMs: 0, plannedMs: 0, outages: 0, longestMs: 0 }
  if (life === null) return measured
  const { planned, counted } = circumstances
  for (const { fromMs, toMs } of outages) {
    const [from, to] = [Math.max(fromMs, life.fromMs), Math.min(toMs, life.toMs)]
    const downMs = from < to ? countWithin(counted, from, to) : 0
    if (downMs <= 0) continue
    measured.downMs += downMs
    measured.outages++
    measured.longestMs = Math.max(measured.longestMs, downMs)
  }
  measured.plannedMs = countWithin(planned, life.fromMs, life.toMs)
  measured.upMs = countWithin(counted, life.fromMs, life.toMs) - measured.downMs
  return measured
}

/** How long the feed of a terminal was observed in a period, or maintenance was planned: also before its first status. */
export const countObserved = ({ circumstances: { counted, planned } }: TerminalHistory, { fromMs, toMs }: Span) =>
  countWithin(counted, fromMs, toMs) + countWithin(planned, fromMs, toMs)

export const addMeasured = (all: readonly Measured[]): Measured => {
  const sum = { periodMs: 0, upMs: 0, downMs: 0, plannedMs: 0, outages: 0, longestMs: 0 }
  for (const each of all) {
    for (const key of ['periodMs', 'upMs', 'downMs', 'plannedMs', 'outages'] as const) sum[key] += each[key]
    sum.longestMs = Math.max(sum.longestMs, each.longestMs)
  }
  return sum
}

const toSeconds = (ms: number) => Math.round(ms / 1000)

export const getPercent = ({ upMs, downMs }: Pick<Measured, 'upMs' | 'downMs'>) =>
  upMs + downMs === 0 ? null : (100 * upMs) / (upMs + downMs)

export const toFigures = (measured: Measured): Figures => {
  const { periodMs, upMs, downMs, plannedMs, outages, longestMs } = measured
  return {
    upS: toSeconds(upMs),
    downS: toSeconds(downMs),
    plannedS: toSeconds(plannedMs),
    notObservedS: toSeconds(periodMs - upMs - downMs - plannedMs),
    percent: getPercent(measured),
    outages,
    longestS: toSeconds(longestMs),
    meanRepairS: outages === 0 ? null : toSeconds(downMs / outages),
    meanBetweenS: outages === 0 ? null : toSeconds(upMs / outages),
  }
}

interface KindSpan extends Span {
  kind: AvailabilityKind
}

/** The spans behind the figures of a terminal: sorted, and together the whole period. */
export const listKinds = ({ life, outages, circumstances }: TerminalHistory, period: Span): KindSpan[] => {
  const { planned, counted } = circumstances
  const lived = life === null ? [] : [life]
  const within = (spans: readonly Span[]) => subtractSpans(lived, subtractSpans([period], spans))
  const down = subtractSpans(within(counted.spans), subtractSpans([period], outages))
  const up = subtractSpans(within(counted.spans), outages)
  const known = [
    ...within(planned.spans).map((span) => ({ ...span, kind: 'planned' as const })),
    ...down.map((span) => ({ ...span, kind: 'down' as const })),
    ...up.map((span) => ({ ...span, kind: 'up' as const })),
  ].sort((one, other) => one.fromMs - other.fromMs)
  const unknown = subtractSpans([period], known).map((span) => ({ ...span, kind: 'not observed' as const }))
  return [...known, ...unknown].sort((one, other) => one.fromMs - other.fromMs)
}
