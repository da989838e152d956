import type { AvailabilityKind } from './availability.ts'
import { formatLength } from './format/durations.ts'

interface Span {
  fromMs: number
  toMs: number
}

/** A part of a terminal's time. */
export interface KindSpan extends Span {
  kind: AvailabilityKind
}

export const STRIP_WIDTH = 1000
export const STRIP_HEIGHT = 12

/** Each kind has its own height or pattern, so that color is never the only cue. */
const tops: Record<Exclude<AvailabilityKind, 'not observed'>, number> = { up: 8, planned: 4, down: 0 }

const round = (x: number) => Math.round(x * 100) / 100

const drawBox = (left: number, top: number, right: number) =>
  `M${round(left)} ${top}H${round(right)}V${STRIP_HEIGHT}H${round(left)}Z`

/** The drawing of a terminal's time, as a path for each kind. */
export function drawStrip(spans: readonly KindSpan[], { fromMs, toMs }: Span): Record<AvailabilityKind, string> {
  const paths = { up: '', down: '', planned: '', 'not observed': '' }
  const toX = (atMs: number) => (STRIP_WIDTH * (Math.min(toMs, Math.max(fromMs, atMs)) - fromMs)) / (toMs - fromMs)
  for (const { kind, ...span } of spans) {
    const [left, right] = [toX(span.fromMs), toX(span.toMs)]
    if (right <= left) continue
    if (kind === 'not observed') {
      for (let x = left; x < right; x += 6) paths[kind] += drawBox(x, 0, Math.min(right, x + 2))
      continue
    }
    // A short outage in a long period would be narrower than a pixel.
    paths[kind] += drawBox(left, tops[kind], kind === 'down' ? Math.max(right, left + 1.5) : right)
  }
  return paths
}

/** The total duration of each kind within a period, in seconds. */
export function measureKinds(spans: readonly KindSpan[], { fromMs, toMs }: Span) {
  const seconds: Record<AvailabilityKind, number> = { up: 0, down: 0, planned: 0, 'not observed': 0 }
  for (const { kind, ...span } of spans) {
    const lengthMs = Math.min(toMs, span.toMs) - Math.max(fromMs, span.fromMs)
    if (lengthMs > 0) seconds[kind] += lengthMs / 1000
  }
  return seconds
}

/** '2 h down, 30 min not observed'. */
export const describeStrip = (seconds: Record<AvailabilityKind, number>) => {
  const parts = (['down', 'planned', 'not observed'] as const)
    .filter((kind) => seconds[kind] >= 1)
    .map((kind) => `${formatLength(seconds[kind])} ${kind}`)
  return parts.join(', ') || 'up'
}
