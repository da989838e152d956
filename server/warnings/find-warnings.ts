import type { WarningCause } from '#contract/incident-cause.ts'
import type { WarningFigures } from '#contract/warning-figures.ts'
import type { Border } from './borders.ts'
import { findDrift, formatDay, toDay } from './drift.ts'
import { findMedian } from './trend.ts'

/** What is known about a terminal at the end of a UTC day. Lists end with that day and have null where nothing is known. */
export interface DailyFigures {
  /** Days since 1970. */
  day: number
  obstruction: readonly (number | null)[]
  signalQuality: readonly (number | null)[]
  weeklyObstruction: readonly (number | null)[]
  weeklySignalQuality: readonly (number | null)[]
  /** Of the dish and its routers. */
  restarts: readonly (number | null)[]
  usageGb: readonly (number | null)[]
  /** From the service address; null for a mobile terminal, or if either position is unknown. */
  distanceKm: number | null
  /** The nearest border of a moving terminal; null if none is near. */
  border: Border | null
  abroad: { countries: [here: string, address: string]; days: number } | null
}

/** The vendor states none of these, so a tenant's administrators set them. */
export interface WarningLimits {
  addressRadiusKm: number
  borderKm: number
  roamingDays: number
}

export interface Warning {
  cause: WarningCause
  confidence: number
  figures: WarningFigures
}

type Known = WarningFigures | null
type Finder = (figures: DailyFigures, known: Known, limits: WarningLimits) => Omit<Warning, 'cause'> | null

const RESTART_DAYS = 3
const MIN_RESTARTS = 6
const RESTARTS_GO_ON = 2
/** The usual number in three days is based on a month. */
const RESTART_HISTORY_DAYS = 30

const sum = (values: readonly (number | null)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)

const findRestarts: Finder = ({ day, restarts }, known) => {
  const recent = restarts.slice(-RESTART_DAYS)
  const now = sum(recent)
  const past = restarts.slice(-RESTART_HISTORY_DAYS - RESTART_DAYS, -RESTART_DAYS).filter((value) => value !== null)
  const usual = past.length === 0 ? 0 : (sum(past) / past.length) * RESTART_DAYS
  const before = known?.before ?? Math.round(usual * 10) / 10
  // A single bad day, such as work on the power supply, is ignored.
  const isLoop = now >= Math.max(MIN_RESTARTS, 3 * usual) && recent.filter((value) => (value ?? 0) > 0).length > 1
  if (known ? now < RESTARTS_GO_ON : !isLoop) return null
  const since = known?.since ?? formatDay(day - RESTART_DAYS + 1)
  return {
    confidence: 0.9,
    figures: { before, now, since, days: RESTART_DAYS, hurtsOn: null, countries: null },
  }
}

const USAGE_DAYS = 28
const MIN_USAGE_DAYS = 14
const MIN_EXTRA_GB = 5
const ONE_DAY_FACTOR = 4
const TWO_DAYS_FACTOR = 2.5
const GOES_ON_FACTOR = 1.5

/**
 * The usual usage on the last day, based on the weeks before the last two days. Offices rest on weekends, so the same
 * weekday counts if it was busier than most days.
 */
const findUsualGb = (usageGb: readonly (number | null)[]) => {
  const past = usageGb.slice(-USAGE_DAYS - 2, -2)
  if (past.filter((value) => (value ?? 0) > 0).length < MIN_USAGE_DAYS) return null
  const sameDay = past.filter((_, index) => (past.length - index + 1) % 7 === 0)
  return Math.max(findMedian(past) ?? 0, findMedian(sameDay) ?? 0)
}

const findUsage: Finder = ({ day, usageGb }, known) => {
  const now = usageGb.at(-1) ?? 0
  const dayBefore = usageGb.at(-2) ?? 0
  const usual = known?.before ?? findUsualGb(usageGb)
  if (usual === null) return null
  const exceeds = (gb: number, factor: number) => gb >= usual * factor && gb - usual >= MIN_EXTRA_GB
  const isUnusual =
    exceeds(now, ONE_DAY_FACTOR) || (exceeds(now, TWO_DAYS_FACTOR) && exceeds(dayBefore, TWO_DAYS_FACTOR))
  if (known ? !exceeds(now, GOES_ON_FACTOR) : !isUnusual) return null
  const since = known?.since ?? formatDay(day)
  const figures = { before: Math.round(usual * 10) / 10, now: Math.round(now * 10) / 10, since }
  return { confidence: 0.8, figures: { ...figures, days: day - toDay(since) + 1, hurtsOn: null, countries: null } }
}

/** Hysteresis: the warning ends only well inside the limit, so that a position at the edge does not toggle it every day. */
const BACK_INSIDE = 0.8

const findAway: Finder = ({ day, distanceKm }, known, { addressRadiusKm }) => {
  if (distanceKm === null || distanceKm <= addressRadiusKm * (known ? BACK_INSIDE : 1)) return null
  const since = known?.since ?? formatDay(day)
  const figures = { before: null, now: Math.round(distanceKm), since, days: day - toDay(since) + 1 }
  return { confidence: 0.9, figures: { ...figures, hurtsOn: null, countries: null } }
}

/** Hysteresis: borders are searched this much beyond the limit, so that the warning ends only well away from one. */
export const AWAY_FROM_BORDER = 1.25

const findNearBorder: Finder = ({ day, border }, known, { borderKm }) => {
  if (!border || border.km > borderKm * (known ? AWAY_FROM_BORDER : 1)) return null
  const since = known?.since ?? formatDay(day)
  const figures = { before: null, now: Math.round(border.km), since, days: day - toDay(since) + 1, hurtsOn: null }
  return { confidence: 0.8, figures: { ...figures, countries: border.countries } }
}

const findAbroad: Finder = ({ day, abroad }, _, { roamingDays }) => {
  if (!abroad || abroad.days < roamingDays) return null
  const { days, countries } = abroad
  const figures = { before: null, now: days, since: formatDay(day - days + 1), days, hurtsOn: null, countries }
  return { confidence: 0.9, figures }
}

const finders: Record<WarningCause, Finder> = {
  'growing obstruction': ({ day, obstruction, weeklyObstruction }, known) =>
    findDrift({ day, daily: obstruction, weekly: weeklyObstruction }, 'growing obstruction', known),
  'fading signal': ({ day, signalQuality, weeklySignalQuality }, known) =>
    findDrift({ day, daily: signalQuality, weekly: weeklySignalQuality }, 'fading signal', known),
  'away from address': findAway,
  'near border': findNearBorder,
  abroad: findAbroad,
  restarting: findRestarts,
  'unusual usage': findUsage,
}

/** The warnings about one terminal at the end of a day, given those of the previous day. A pure function. */
export const findWarnings = (
  figures: DailyFigures,
  known: ReadonlyMap<WarningCause, WarningFigures>,
  limits: WarningLimits,
): Warning[] =>
  (Object.entries(finders) as [WarningCause, Finder][]).flatMap(([cause, find]) => {
    const found = find(figures, known.get(cause) ?? null, limits)
    return found ? [{ cause, ...found }] : []
  })
