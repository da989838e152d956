import { formatLength } from '#contract/format/durations.ts'
import { formatCount, formatCounted } from '#contract/format/numbers.ts'
import { formatClockWithZone } from '#contract/format/times.ts'
import { adviseIncident, explainIncident, formatIncidentCause, formatIncidentTitle } from '#contract/incident-words.ts'
import type { Incident } from '#contract/incidents.ts'
import type { Units } from '#contract/units.ts'
import type { VisibleLine } from './audience.ts'
import type { Change, Notice } from './plan-state.ts'
import { formatHeadline, formatName, saysMany } from './words.ts'

/** What a message says about one incident. */
export interface IncidentPart {
  id: string
  /** How many of the changes belong to it. */
  changes: number
  headline: string
  title: string
  reasons: string
}

type News = Notice['incidents'][number]

const isBack = ({ after }: Change) => after === 'online'

const formatLost = (changes: readonly Change[], timeZone: string) => {
  const kinds = new Set(changes.map(({ after }) => after))
  const [kind] = kinds
  const says = kind && kinds.size === 1 ? saysMany[kind] : 'have lost service'
  const since = formatClockWithZone(Math.min(...changes.map(({ sinceMs }) => sinceMs)), timeZone)
  return `${formatCounted(changes.length, 'terminal')} ${says} since ${since}`
}

const formatLasted = (changes: readonly Change[]) => {
  const endMs = Math.max(...changes.map(({ sinceMs }) => sinceMs))
  return formatLength((endMs - Math.min(...changes.map(({ lostAtMs }) => lostAtMs))) / 1000)
}

const formatNews = ({ kind, terminals }: News, incident: Incident, changes: readonly Change[], timeZone: string) => {
  const what = incident.reach === 'several' ? formatIncidentCause(incident) : formatIncidentTitle(incident)
  const back = formatCount(changes.length)
  switch (kind) {
    case 'opening':
      return `${what}: ${formatLost(changes, timeZone)}`
    case 'growth':
      return `${what} has grown to ${formatCount(terminals)} terminals`
    case 'recovery':
      return `${what}: ${back} of ${formatCount(terminals)} terminals back online`
    case 'ending':
      return `${what} ended: ${back} terminals are back online after ${formatLasted(changes)}`
  }
}

/** As it was while the terminals were lost: a message that says so may be written, or sent again, after they are back. */
const withoutReturn = (incident: Incident): Incident => ({
  ...incident,
  endedAt: null,
  // Reported when the dish was back.
  ...(incident.reach === 'terminal' && { lostPower: 0 }),
  ...(incident.cause === 'restart' && { cause: 'unknown' }),
})

/** What a notice says about its incidents. An incident of a single terminal reads like a notice about that terminal. */
export const listIncidentParts = (
  { incidents, changes }: Notice,
  known: ReadonlyMap<string, Incident>,
  lines: ReadonlyMap<number, VisibleLine>,
  { timeZone, units }: { timeZone: string; units: Units },
): IncidentPart[] =>
  incidents.flatMap((news) => {
    const isEnd = news.kind === 'ending' || news.kind === 'recovery'
    const own = changes.filter((change) => change.incidentId === news.id && isBack(change) === isEnd)
    const [first] = own
    const found = known.get(news.id)
    if (!first || !found) return []
    const line = lines.get(first.lineId) as VisibleLine
    const incident = found.reach === 'terminal' ? { ...found, name: formatName(line) } : found
    const shown = isEnd ? incident : withoutReturn(incident)
    const isAlone = own.length === 1 && news.terminals === 1
    const length = news.kind === 'ending' ? [`It lasted ${formatLasted(own)}.`] : []
    return [
      {
        id: incident.id,
        changes: own.length,
        headline: isAlone ? formatHeadline(own, [], lines, timeZone) : formatNews(news, shown, own, timeZone),
        title: formatIncidentTitle(shown),
        reasons: [...length, ...explainIncident(shown, units), adviseIncident(incident)].filter(Boolean).join(' '),
      },
    ]
  })

/** What a notice says about early warnings. */
export const listWarningParts = (
  { warnings = [] }: Notice,
  known: ReadonlyMap<string, Incident>,
  units: Units,
): IncidentPart[] =>
  warnings.flatMap(({ incidentId }) => {
    const incident = known.get(incidentId)
    if (!incident) return []
    const title = formatIncidentTitle(incident)
    const reasons = [...explainIncident(incident, units), adviseIncident(incident)].filter(Boolean).join(' ')
    return [{ id: incident.id, changes: 0, headline: title, title, reasons }]
  })

/** A one-line summary of a notice. */
export const formatSubject = (
  { changes, usage }: Notice,
  parts: readonly IncidentPart[],
  lines: ReadonlyMap<number, VisibleLine>,
  timeZone: string,
): string => {
  const [part] = parts
  const isOfWarnings = changes.length === 0 && usage.length === 0
  if (part && isOfWarnings) return parts.length === 1 ? part.title : formatCounted(parts.length, 'early warning')
  const isAboutOne = part?.changes === changes.length && usage.length === 0
  return isAboutOne ? part.headline : formatHeadline(changes, usage, lines, timeZone)
}
