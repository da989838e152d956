import { invalid } from '#contract/errors.ts'
import { formatDateTime } from '#contract/format/times.ts'

/** As long as the retention of the coarsest telemetry tier. */
export const PAST_DAYS = 400

/** Refuses a time for which no data can exist. */
export const requirePast = (at: Date, now: Date) => {
  if (at > now) throw invalid('at: please choose a time that has passed.')
  const first = new Date(now.getTime() - PAST_DAYS * 86_400_000)
  if (at < first) throw invalid(`at: nothing is known before ${formatDateTime(first, 'UTC')}.`)
}
