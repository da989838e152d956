import type { Span } from '#contract/terminal-detail.ts'

const SHORTEST_MS = 30_000

const createSpan = (fromMs: number, toMs: number): Span => ({ from: new Date(fromMs), to: new Date(toMs) })

/** A part of the charts' period in the URL: Unix seconds, '1763400000-1763401800'. */
export const formatZoom = ({ from, to }: Span) =>
  `${Math.floor(from.getTime() / 1000)}-${Math.ceil(to.getTime() / 1000)}`

/** The zoomed part; undefined if it is outside of the period, which moves on with time. */
export function parseZoom(text: string | undefined, { from, to }: Span): Span | undefined {
  const [start = Number.NaN, end = Number.NaN] = text?.split('-').map((seconds) => Number(seconds) * 1000) ?? []
  const [startMs, endMs] = [Math.max(start, from.getTime()), Math.min(end, to.getTime())]
  return endMs - startMs >= SHORTEST_MS ? createSpan(startMs, endMs) : undefined
}

/** Half of the visible span, around a time. */
export function zoomIn({ from, to }: Span, aroundMs: number): Span {
  const quarterMs = (to.getTime() - from.getTime()) / 4
  const centerMs = Math.min(to.getTime() - quarterMs, Math.max(from.getTime() + quarterMs, aroundMs))
  return 2 * quarterMs < SHORTEST_MS ? { from, to } : createSpan(centerMs - quarterMs, centerMs + quarterMs)
}
