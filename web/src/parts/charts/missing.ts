import { measures } from '#contract/measures.ts'
import type { Signal, Span } from '#contract/terminal-detail.ts'

/** Shorter gaps are visible as such, and hatching them would be noise. */
const AT_LEAST_MS = 120_000
const AT_LEAST_STEPS = 2

interface Explained {
  period: Span
  stepS: number
  /** Times that are shown as something else: outages, maintenance, and those in which nothing was observed. */
  explained: readonly Span[]
}

const hasValue = (signal: Signal) => measures.some(({ name }) => signal[name] !== null)

/** The times of the period without values for which nothing else on the chart gives a reason. */
export function findMissing(signals: readonly Signal[], { period, stepS, explained }: Explained) {
  const halfMs = (stepS * 1000) / 2
  const known = [
    ...signals.filter(hasValue).map(({ timestamp }) => [timestamp - halfMs, timestamp + halfMs] as const),
    ...explained.map(({ from, to }) => [from.getTime(), to.getTime()] as const),
  ].sort(([a], [b]) => a - b)
  const atLeastMs = Math.max(AT_LEAST_MS, AT_LEAST_STEPS * stepS * 1000)
  const missing: Span[] = []
  let knownUntilMs = period.from.getTime()
  const endMs = period.to.getTime()
  for (const [fromMs, toMs] of [...known, [endMs, endMs] as const]) {
    const gapEndMs = Math.min(fromMs, endMs)
    if (gapEndMs - knownUntilMs >= atLeastMs) missing.push({ from: new Date(knownUntilMs), to: new Date(gapEndMs) })
    knownUntilMs = Math.max(knownUntilMs, toMs)
  }
  return missing
}
