import { formatCountry } from './format/countries.ts'
import { formatCounted, formatPercent, formatShort } from './format/numbers.ts'
import { formatDay } from './format/times.ts'
import { formatDistance, formatGb } from './format/units.ts'
import type { WarningCause } from './incident-cause.ts'
import type { Units } from './units.ts'
import type { WarningFigures } from './warning-figures.ts'

const WEEK = 7

const formatSpan = (days: number) =>
  days >= 2 * WEEK ? formatCounted(Math.round(days / WEEK), 'week') : formatCounted(days, 'day')

const formatShare = (fraction: number) => formatPercent(fraction * 100, 1)

const formatHurtsOn = ({ hurtsOn }: WarningFigures) =>
  hurtsOn === null ? [] : [`At this pace it will interrupt service around ${formatDay(hurtsOn)}.`]

const describeDrift = (subject: string, verb: string, figures: WarningFigures, isOver: boolean) => {
  const { before, now, days } = figures
  return [
    `${subject} ${verb} from ${formatShare(before ?? 0)} to ${formatShare(now)} in ${formatSpan(days)}.`,
    ...(isOver ? [] : formatHurtsOn(figures)),
  ]
}

/** Why action is needed before service is lost, or was needed. */
export const explainWarning = (
  cause: WarningCause,
  figures: WarningFigures,
  isOver: boolean,
  units: Units,
): string[] => {
  const { before, now, days, countries } = figures
  const is = isOver ? 'was' : 'is'
  switch (cause) {
    case 'growing obstruction':
      return describeDrift('Obstruction', 'rose', figures, isOver)
    case 'fading signal':
      return describeDrift('Signal quality', 'fell', figures, isOver)
    case 'away from address':
      return [
        `The dish ${is} ${formatDistance(now, units)} from its service address. Starlink disables a dish that is too far from it.`,
      ]
    case 'near border':
      return [
        `It ${is} ${formatDistance(now, units)} from the border between ${countries?.join(' and ')}. Starlink disables a dish in a country that its plan does not cover.`,
      ]
    case 'abroad':
      return [
        `It ${isOver ? 'was' : 'has been'} abroad for ${formatCounted(now, 'day')} (${countries?.map(formatCountry).join(' instead of ')}). Starlink can restrict roaming.`,
      ]
    case 'restarting':
      return [
        `The dish or its router restarted ${formatCounted(now, 'time')} in ${formatCounted(days, 'day')}; ${formatShort(before ?? 0)} is usual.`,
      ]
    case 'unusual usage':
      return [`It used ${formatGb(now)} in a day; ${formatGb(before ?? 0)} is usual.`]
  }
}

export const warningActions: Record<WarningCause, string> = {
  'growing obstruction': 'Cut back what grows into view, or move the dish, before service is interrupted.',
  'fading signal': 'Check that the dish is clean, free of snow and that its mast stands upright.',
  'away from address': 'Change the service address, take a mobile plan, or bring the dish back.',
  'near border': 'Check that the plan covers both countries.',
  abroad: 'Check that the plan covers the country, or change the service address.',
  restarting: 'Check the power supply, the cable and the temperature.',
  'unusual usage': 'Ask who uses it, and check the data that is left.',
}
