import { findMedian } from './trend.ts'

/** As many days as the rules need. */
export const FIGURE_DAYS = 35
/** A year and the weeks in which a drift shows. */
const FIGURE_WEEKS = 58
const DAYS_OF_WEEK = 7

type Values = readonly (number | null)[]

/** The stored figures of a terminal. */
export interface StoredFigures {
  /** The day of the last values, in days since 1970. */
  day: number
  obstruction: Values
  signalQuality: Values
  restarts: Values
  weeklyObstruction: Values
  weeklySignalQuality: Values
  restartCount: number
  /** Days since 1970. */
  abroadSince: number | null
}

/** One day of the tiers. */
export interface DayRow {
  day: number
  obstruction: number | null
  signalQuality: number | null
}

interface Present {
  restartCount: number
  isAbroad: boolean
}

const getWeek = (day: number) => Math.floor(day / DAYS_OF_WEEK)

/** Appends the median of each week; the week of the last known day is recomputed. */
const addWeeks = (weekly: Values, before: number | null, daily: Values, day: number): Values => {
  const added: (number | null)[] = []
  const firstWeek = before === null ? getWeek(day - daily.length + 1) : getWeek(before)
  for (let week = firstWeek; week <= getWeek(day); week++) {
    const firstIndex = daily.length - 1 - (day - week * DAYS_OF_WEEK)
    added.push(findMedian(daily.slice(Math.max(0, firstIndex), Math.max(0, firstIndex + DAYS_OF_WEEK))))
  }
  return [...(before === null ? [] : weekly.slice(0, -1)), ...added].slice(-FIGURE_WEEKS)
}

/** The figures of a terminal at the end of a later day. Days without rows are unknown. */
export const advanceFigures = (
  known: StoredFigures | null,
  rows: readonly DayRow[],
  present: Present,
  day: number,
): StoredFigures => {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  const firstDay = Math.max(known ? known.day + 1 : 0, day - FIGURE_DAYS + 1)
  const days = Array.from({ length: day - firstDay + 1 }, (_, index) => firstDay + index)
  const extend = (values: Values | undefined, added: Values): Values =>
    [...(values ?? []), ...added].slice(-FIGURE_DAYS)
  const obstruction = extend(
    known?.obstruction,
    days.map((each) => byDay.get(each)?.obstruction ?? null),
  )
  const signalQuality = extend(
    known?.signalQuality,
    days.map((each) => byDay.get(each)?.signalQuality ?? null),
  )
  // The counters are read once a day. Restarts on missed days count as one day.
  const restarts = known ? Math.max(0, present.restartCount - known.restartCount) : null
  return {
    day,
    obstruction,
    signalQuality,
    restarts: extend(
      known?.restarts,
      days.map((each) => (each === day ? restarts : null)),
    ),
    weeklyObstruction: addWeeks(known?.weeklyObstruction ?? [], known?.day ?? null, obstruction, day),
    weeklySignalQuality: addWeeks(known?.weeklySignalQuality ?? [], known?.day ?? null, signalQuality, day),
    restartCount: present.restartCount,
    abroadSince: present.isAbroad ? (known?.abroadSince ?? day) : null,
  }
}
