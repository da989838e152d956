import { formatDuration } from '#contract/format/durations.ts'
import { formatDateTime } from '#contract/format/times.ts'
import type { Past } from '#contract/past.ts'

const LATE_MS = 10 * 60_000
const SAMPLE_STEP_S = 15

const describeSince = (what: string, since: Date | null) =>
  since === null ? `${what} is not recorded.` : `${what} is recorded since ${formatDateTime(since)}.`

/** Whether the status of the terminals at that time is known. */
export const isObserved = ({ at, newestAt, statusSince }: Past) =>
  statusSince !== null && statusSince <= at && newestAt !== null && at.getTime() - newestAt.getTime() <= LATE_MS

/** The limitations of a list of the past. */
export const describeLimits = ({ at, newestAt, stepS, statusSince, factsSince }: Past): string[] => {
  const sentences: string[] = []
  if (statusSince === null || statusSince > at) sentences.push(describeSince('The status', statusSince))
  if (factsSince === null || factsSince > at)
    sentences.push(
      describeSince('What is known of names, places, plans, pools, usage and addresses', factsSince),
      'Terminals have their first known name.',
    )
  if (newestAt === null) sentences.push('Not observed: there is no data of the days before.')
  else if (at.getTime() - newestAt.getTime() > LATE_MS)
    sentences.push(`Not observed: the newest data was ${formatDuration(at.getTime() - newestAt.getTime())} old.`)
  if (stepS > SAMPLE_STEP_S)
    sentences.push(`Measured values of that time are stored in steps of ${formatDuration(stepS * 1000)}.`)
  return sentences
}
