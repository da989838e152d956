import { formatCount, formatPercent } from '#contract/format/numbers.ts'
import { formatClockWithZone, formatMoment } from '#contract/format/times.ts'
import { formatGb } from '#contract/format/units.ts'
import type { VisibleLine } from './audience.ts'
import type { Condition } from './fleet-event.ts'
import type { Change, Usage } from './plan-state.ts'

const saysOne: Record<Condition, string> = {
  online: 'is back online',
  offline: 'is offline',
  'no data': 'has sent no data',
  disabled: 'is disabled',
}

export const saysMany: Record<Condition, string> = {
  online: 'are back online',
  offline: 'are offline',
  'no data': 'have sent no data',
  disabled: 'are disabled',
}

const inFacts: Record<Condition, string> = {
  online: 'back online',
  offline: 'offline',
  'no data': 'no data',
  disabled: 'disabled',
}

const inList: Record<Condition, string> = {
  online: 'online',
  offline: 'offline',
  'no data': 'without data',
  disabled: 'disabled',
}

export const formatName = ({ custom_name, nickname }: VisibleLine) => custom_name ?? nickname

const shared = (values: (string | null)[]) => {
  const [first] = values
  return first && values.every((value) => value === first) ? first : undefined
}

const describeArea = (lines: VisibleLine[]) => {
  const state = shared(lines.map((line) => line.state))
  if (!state) return ''
  const city = shared(lines.map((line) => line.city))
  return ` in ${city ? `${city}, ` : ''}${state}`
}

/** A one-line summary of what happened. */
export const formatHeadline = (
  changes: readonly Change[],
  usage: readonly Usage[],
  lines: ReadonlyMap<number, VisibleLine>,
  timeZone: string,
): string => {
  const [first] = changes
  if (!first) return formatUsageHeadline(usage, lines)
  const line = lines.get(first.lineId) as VisibleLine
  const since = `since ${formatClockWithZone(Math.min(...changes.map(({ sinceMs }) => sinceMs)), timeZone)}`
  if (changes.length === 1) return `${formatName(line)} ${saysOne[first.after]} ${since}`
  const place = describeArea(changes.map(({ lineId }) => lines.get(lineId) as VisibleLine))
  const kinds = [...new Set(changes.map(({ after }) => after))]
  if (kinds.length === 1) return `${formatCount(changes.length)} terminals${place} ${saysMany[first.after]} ${since}`
  const counts = kinds.map(
    (kind) => `${formatCount(changes.filter(({ after }) => after === kind).length)} ${inList[kind]}`,
  )
  return `${formatCount(changes.length)} terminals${place} changed: ${counts.join(', ')}`
}

/** A pool is named after the user's own lines in it, because the others must not be revealed. */
const formatUsageName = ({ subject, lineIds }: Usage, lines: ReadonlyMap<number, VisibleLine>) => {
  const own = lineIds.flatMap((id) => lines.get(id) ?? [])
  const first = own[0] ? formatName(own[0]) : 'A terminal'
  if (!subject.startsWith('pool')) return first
  return own.length > 1 ? `The pool of ${first} and ${formatCount(own.length - 1)} more` : `The pool of ${first}`
}

export const formatUsage = (usage: Usage, lines: ReadonlyMap<number, VisibleLine>) =>
  `${formatUsageName(usage, lines)} has used ${formatPercent(usage.percent)} of its data (${formatGb(usage.usedGb)} of ${formatGb(usage.limitGb)})`

const formatUsageHeadline = (usage: readonly Usage[], lines: ReadonlyMap<number, VisibleLine>) => {
  const [first] = usage
  if (usage.length === 1 && first)
    return `${formatUsageName(first, lines)} has used ${formatPercent(first.percent)} of its data`
  return `${formatCount(usage.length)} data limits are nearly or fully used`
}

/** What the user should know beyond the list. */
export const listRemarks = (changes: readonly Change[], noticedAtMs: number, timeZone: string): string[] => {
  const remarks: string[] = []
  if (changes.some(({ isLate }) => isLate))
    remarks.push(`Our own feed was late: we learned of this only at ${formatClockWithZone(noticedAtMs, timeZone)}.`)
  if (changes.some((change) => change.isUnstable))
    remarks.push('Terminals that change often are reported again once a change has lasted 30 minutes.')
  return remarks
}

/** After the name of the terminal, in a table. */
export const formatChange = ({ after, sinceMs }: Change, timeZone: string) =>
  `${inFacts[after]} since ${formatMoment(sinceMs, timeZone)}`
