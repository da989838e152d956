import { addDays, type CalendarPeriod, findPeriod } from '#contract/calendar-period.ts'
import { invalid } from '#contract/errors.ts'
import { toLocalTime } from '#contract/format/times.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { getTimeZone } from '../platform/database/time-zone.ts'
import { findLocalMoment } from '../platform/local-moment.ts'
import { findHeldSince } from './read-histories.ts'

const MAX_DAYS = 366

interface Wanted {
  period: CalendarPeriod
  day?: string | undefined
  lastDay?: string | undefined
}

/** The elapsed part of a calendar period, in the tenant's time zone. */
export const findSpan = async (db: Db, { tenantId, services }: Context, { period, day, lastDay }: Wanted) => {
  const timeZone = await getTimeZone(db, tenantId)
  const nowMs = services.now().getTime()
  const today = toLocalTime(nowMs, timeZone).day
  const days = findPeriod(period, day ?? today, lastDay ?? day ?? today)
  if (days.lastDay < days.firstDay) throw invalid('The last day is before the first.')
  if (days.lastDay > addDays(days.firstDay, MAX_DAYS - 1)) throw invalid(`Please choose at most ${MAX_DAYS} days.`)
  const fromMs = findLocalMoment(days.firstDay, 0, timeZone)
  if (fromMs >= nowMs) throw invalid('This period has not begun.')
  const toMs = Math.min(nowMs, findLocalMoment(addDays(days.lastDay, 1), 0, timeZone))
  return {
    within: { fromMs, toMs },
    shown: {
      timeZone,
      ...days,
      from: new Date(fromMs),
      until: new Date(toMs),
      heldSince: await findHeldSince(db, tenantId),
    },
  }
}
