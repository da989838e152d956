import { formatDuration } from '#contract/format/durations.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { Past, PastKnowledge } from '#contract/past.ts'

const LATE_MS = 10 * 60_000
const SAMPLE_STEP_S = 15

const names: Record<keyof PastKnowledge, string> = {
  status: 'status',
  names: 'places and plans',
  alerts: 'alerts',
  addresses: 'IP addresses',
  pools: 'pools',
  usage: 'usage',
}

/** 'Not recorded at that time: alerts (since Nov 17, 2026, 14:02 AKST), pools.' */
const listUnknown = ({ at, knownSince }: Past) => {
  const unknown = (Object.keys(names) as (keyof PastKnowledge)[]).flatMap((fact) => {
    const since = knownSince[fact]
    if (since && since <= at) return []
    return since ? `${names[fact]} (since ${formatDateTime(since)})` : names[fact]
  })
  return unknown.length === 0 ? [] : [`Not recorded at that time: ${unknown.join(', ')}.`]
}

/** What a reader has to know about a list of the past. */
export const describeLimits = (past: Past): string[] => {
  const { at, newestAt, stepS, knownSince } = past
  const sentences = listUnknown(past)
  if (knownSince.names === null || knownSince.names > at)
    sentences.push('Terminals have the first name that was recorded.')
  if (newestAt === null) sentences.push('Not observed: there is no data of the days before.')
  else if (at.getTime() - newestAt.getTime() > LATE_MS)
    sentences.push(`Not observed: the newest data was ${formatDuration(at.getTime() - newestAt.getTime())} old.`)
  if (stepS > SAMPLE_STEP_S)
    sentences.push(`Measured values of that time are stored in steps of ${formatDuration(stepS * 1000)}.`)
  return sentences
}
