import { invalid } from '#contract/errors.ts'
import { formatDateTime } from '#contract/format/times.ts'

/** As long as the coarsest tier of telemetry. */
export const PAST_DAYS = 400

/** Refuses a time that nothing can be said about. */
export const requirePast = (at: Date, now: Date) => {
  if (at > now) throw invalid('at: please choose a time that has passed.')
  const first = new Date(now.getTime() - PAST_DAYS * 86_400_000)
  if (at < first) throw invalid(`at: nothing is known before ${formatDateTime(first, 'UTC')}.`)
}
