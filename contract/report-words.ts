import { describeForecast } from './forecast-words.ts'
import { formatCount, formatCounted, formatDecimal, formatPercentDown, formatTarget } from './format/numbers.ts'
import { formatDay, formatYearAndMonth, toLocalTime } from './format/times.ts'
import { formatGb } from './format/units.ts'
import type { Report } from './reports.ts'

type Days = Pick<Report, 'period' | 'firstDay' | 'lastDay'>

/** 'November 2026', 'Nov 2 to Nov 8, 2026'. */
export const formatReportPeriod = ({ period, firstDay, lastDay }: Days) =>
  period === 'month'
    ? formatYearAndMonth(firstDay.slice(0, 7))
    : `${formatDay(firstDay)} to ${formatDay(lastDay)}, ${lastDay.slice(0, 4)}`

export const formatReportKind = ({ period }: Pick<Report, 'period'>) =>
  period === 'month' ? 'Monthly report' : 'Weekly report'

/** What counts as down, and what does not count. */
export const aboutAvailability =
  'Availability is the share of up in up and down. A terminal is down while it is offline, disabled or without data, and during a restart for an update. Planned maintenance is left out, and so is time in which the vendor reported no terminal at all.'

/** The title above the incidents of a report, which lists the largest. */
export const countIncidents = (shown: number, all: number) =>
  all > shown ? `Incidents: the largest ${formatCount(shown)} of ${formatCount(all)}` : 'Incidents'

/** '99.98%', rounded down: 100% means no downtime at all. */
export const formatAvailability = (percent: number | null) => (percent === null ? 'N/A' : formatPercentDown(percent, 2))

/** 'group north', 'all terminals'. */
export const formatReportScope = ({ group }: Pick<Report, 'group'>) => (group === null ? 'All terminals' : group)

const describeTrend = (percent: number, previous: number | null, period: string) => {
  if (previous === null) return ''
  const points = percent - previous
  if (Math.abs(points) < 0.005) return `, as in the ${period} before`
  return `, ${formatDecimal(Math.abs(points))} points ${points > 0 ? 'more' : 'less'} than in the ${period} before`
}

const describeAvailability = ({ availability, terminalCount, groups, period }: Report) => {
  const { percent, target, isBreached, previousPercent } = availability
  if (percent === null) return 'Nothing was observed in this period, so availability is not known.'
  const whose = formatCounted(terminalCount, 'terminal')
  const breached = groups.filter((group) => group.isBreached).length
  const promised =
    target === null
      ? breached > 0
        ? ` ${formatCounted(breached, 'group')} stayed below the target.`
        : ''
      : ` The target of ${formatTarget(target)} was ${isBreached ? 'missed' : 'met'}.`
  return `${whose} worked ${formatAvailability(percent)} of the time${describeTrend(percent, previousPercent, period)}.${promised}`
}

type Known = Pick<Report, 'incidentCount' | 'incidentsSince' | 'availability'>

const isNothingKnown = ({ incidentCount, availability }: Known) => incidentCount === 0 && availability.percent === null

/** Nothing was observed, or no incident was evaluated yet. */
export const areIncidentsUnknown = (report: Known) =>
  isNothingKnown(report) || (report.incidentCount === 0 && (report.incidentsSince ?? null) !== null)

const formatSince = (since: Date, timeZone: string) => formatDay(toLocalTime(since, timeZone).day)

/** The note below the number of incidents. */
export const describeIncidentCount = (report: Report) => {
  const { availability, incidentsSince, timeZone } = report
  if (isNothingKnown(report)) return 'Not observed'
  return incidentsSince
    ? `Known since ${formatSince(incidentsSince, timeZone)}`
    : formatCounted(availability.outages, 'outage')
}

const describeIncidents = ({ incidentCount, incidentsSince, availability: { outages }, timeZone }: Report) => {
  const incidents = formatCounted(incidentCount, 'incident')
  const were = (count: number) => (count === 1 ? 'was' : 'were')
  if (incidentsSince)
    return `There ${were(outages)} ${formatCounted(outages, 'outage')}. Incidents are known since ${formatSince(incidentsSince, timeZone)}${incidentCount === 0 ? '' : `: ${incidents}`}.`
  return incidentCount === 0 && outages === 0
    ? 'There was no incident.'
    : `There ${were(incidentCount)} ${incidents} and ${formatCounted(outages, 'outage')}.`
}

const describeUsage = ({ usage: { usedGb, previousGb }, period }: Report) => {
  const before = previousGb === null ? '' : `, after ${formatGb(previousGb)} in the ${period} before`
  return `${formatGb(usedGb)} of data was used${before}.`
}

const describeRisks = ({ pools }: Report) => {
  const risky = pools.filter(({ forecast }) => ['reached', 'likely'].includes(describeForecast(forecast).outlook))
  return risky.map(({ name, forecast }) => `${name}: ${describeForecast(forecast).text}.`)
}

/** A summary of the period in a few sentences. */
export const summarizeReport = (report: Report) => [
  describeAvailability(report),
  ...(isNothingKnown(report) ? [] : [describeIncidents(report)]),
  describeUsage(report),
  ...describeRisks(report),
]

/** Removes the pools for readers who may not see plans. */
export const narrowReport = (report: Report, { seesPlans }: { seesPlans: boolean }): Report =>
  seesPlans ? report : { ...report, pools: [] }
