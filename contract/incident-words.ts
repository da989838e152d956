import { formatCount, formatCounted, formatPercent } from './format/numbers.ts'
import { type IncidentCause, isWarning } from './incident-cause.ts'
import type { Incident } from './incidents.ts'
import { explainWarning, warningActions } from './warning-words.ts'

type Words = Pick<
  Incident,
  'cause' | 'reach' | 'confidence' | 'terminals' | 'back' | 'lostPower' | 'observed' | 'name' | 'place' | 'radiusKm'
> &
  Pick<Incident, 'signalQuality' | 'obstruction' | 'endedAt' | 'window' | 'warning'>

/** Each cause in a few words. */
export const causeWords: Record<IncidentCause, string> = {
  network: 'Network outage',
  power: 'Power loss',
  restart: 'Restart',
  obstruction: 'Blocked sky',
  equipment: 'Equipment fault',
  disabled: 'Disabled',
  quota: 'Data used up',
  planned: 'Planned restart',
  'not observed': 'Not observed',
  unknown: 'Outage',
  'growing obstruction': 'Sky is closing in',
  'fading signal': 'Signal is fading',
  'away from address': 'Away from its address',
  'near border': 'Near a border',
  abroad: 'Long abroad',
  restarting: 'Restarts again and again',
  'unusual usage': 'Unusual data usage',
}

const around = (place: string | null) => (place === null ? '' : ` around ${place}`)

const LIKELY = 0.75
/** Larger counts of neighbors are capped. */
const MAX_COUNTED = 99

export const formatIncidentCause = ({ cause, confidence, window }: Pick<Words, 'cause' | 'confidence' | 'window'>) => {
  if (isWarning(cause)) return `Warning: ${causeWords[cause]}`
  const isGuess = confidence < LIKELY && cause !== 'unknown'
  const short = cause === 'planned' && window !== null ? 'Planned maintenance' : causeWords[cause]
  return isGuess ? `Possible ${short.toLowerCase()}` : short
}

/** The cause and the location, in a few words. */
export const formatIncidentTitle = (incident: Words): string => {
  const { reach, name, terminals, place } = incident
  const what = formatIncidentCause(incident)
  if (reach === 'fleet') return `${what} across the fleet`
  if (reach === 'area') return `${what}${around(place)}`
  if (reach === 'several' && terminals > 1) return `${what}: ${formatCount(terminals)} terminals`
  return `${what}: ${name}`
}

export const formatConfidence = (confidence: number) =>
  confidence >= 0.9 ? 'Almost certain' : confidence >= LIKELY ? 'Likely' : 'Possible'

const describeTogether = ({ terminals, observed, place, radiusKm, reach }: Words) => {
  const where =
    reach === 'fleet'
      ? 'of the fleet'
      : `within ${formatCount(Math.max(radiusKm ?? 0, 10))} km${place === null ? '' : ` of ${place}`}`
  if (observed === null)
    return `${terminals === 1 ? 'Your terminal' : `${formatCount(terminals)} of your terminals`} lost service at the same time as most others in the area.`
  return `${formatCount(terminals)} of ${formatCounted(observed, 'terminal')} ${where} lost service at the same time.`
}

const describePower = ({ reach, back, lostPower, terminals, observed, endedAt }: Words) => {
  if (reach === 'area')
    return `${formatCount(lostPower)} of ${formatCount(back)} that are back reported that their power was lost.`
  if (lostPower > 0) return 'The dish reported that its power was lost.'
  if (endedAt !== null && back === terminals) return 'The dish started again after a long time without a report.'
  const others =
    observed === null
      ? 'Terminals'
      : observed > MAX_COUNTED
        ? `More than ${MAX_COUNTED} terminals`
        : formatCounted(observed - 1, 'terminal')
  return `${others} nearby still work${observed === 2 ? 's' : ''}, so the network is there. The power or a cable is the most common cause.`
}

const describeBlocked = ({ signalQuality, obstruction }: Words) => {
  if ((obstruction ?? 0) >= 0.15)
    return `Something hid the sky ${formatPercent((obstruction as number) * 100)} of the time before.`
  return `The signal had fallen to ${formatPercent((signalQuality ?? 0) * 100)}, as under snow or heavy rain.`
}

/** The evidence for the cause. */
export const explainIncident = (incident: Words): string[] => {
  const { cause, window } = incident
  if (window === null) return explainCause(incident)
  if (cause === 'planned') return [`It happened in the maintenance window “${window}”.`]
  return [`It began in the maintenance window “${window}” and has outlasted it.`, ...explainCause(incident)]
}

const explainCause = (incident: Words): string[] => {
  const { cause, reach, warning } = incident
  if (isWarning(cause)) return warning ? explainWarning(cause, warning) : []
  switch (cause) {
    case 'network':
      return reach === 'area' || reach === 'fleet'
        ? [describeTogether(incident), 'The network is at fault, not the dish.']
        : ['Its last reports had lost every ping, so the dish had power and found no network.']
    case 'power':
      return reach === 'area' ? [describeTogether(incident), describePower(incident)] : [describePower(incident)]
    case 'restart':
      return ['The dish started again by itself within a few minutes.']
    case 'obstruction':
      return [describeBlocked(incident)]
    case 'equipment':
      return ['The dish had reported a fault of its own.']
    case 'disabled':
      return ['Starlink has disabled the service.']
    case 'quota':
      return ['Starlink has disabled the service because the data is used up.']
    case 'planned':
      return ['It was restarted on request or for an update.']
    case 'not observed':
      return ['No data reached us, so nobody can say whether the terminals worked.']
    case 'unknown':
      return ['Nothing shows what the cause was.']
  }
}

const actions: Partial<Record<IncidentCause, string>> = {
  ...warningActions,
  network: 'Nothing needs to be done at the dish.',
  power: 'Check the plug, the cable and the power source.',
  obstruction: 'Clear snow from the dish, or move it away from what hides the sky.',
  equipment: 'Look at the alerts of the terminal.',
  disabled: 'Check the account and the alerts of the terminal.',
  quota: 'Add data, or wait for the next billing cycle.',
}

/** What to do while it is ongoing. */
export const adviseIncident = ({ cause, endedAt }: Words): string | undefined =>
  endedAt === null ? actions[cause] : undefined
