import { equipmentAlerts, getAlertTitle } from './alerts.ts'
import { formatCount, formatCounted, formatPercent } from './format/numbers.ts'
import { formatDistance } from './format/units.ts'
import { type IncidentCause, isWarning } from './incident-cause.ts'
import type { Incident } from './incidents.ts'
import type { Units } from './units.ts'
import { explainWarning, warningActions } from './warning-words.ts'

type Words = Pick<
  Incident,
  'cause' | 'reach' | 'confidence' | 'terminals' | 'back' | 'lostPower' | 'observed' | 'name' | 'place' | 'radiusKm'
> &
  Pick<Incident, 'signalQuality' | 'obstruction' | 'alerts' | 'restart' | 'endedAt' | 'window' | 'warning'>

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

const describeTogether = ({ terminals, observed, place, radiusKm, reach }: Words, units: Units) => {
  const where =
    reach === 'fleet'
      ? 'of the fleet'
      : `within ${formatDistance(Math.max(radiusKm ?? 0, 10), units)}${place === null ? '' : ` of ${place}`}`
  if (observed === null)
    return `${terminals === 1 ? 'The terminal' : `${formatCount(terminals)} terminals`} lost service at the same time as most others in the area.`
  return `${formatCount(terminals)} of ${formatCounted(observed, 'terminal')} ${where} lost service at the same time.`
}

const describePowerOfMany = ({ back, lostPower }: Words) =>
  // A customer may see only terminals that are not back, or that did not report it.
  lostPower === 0
    ? 'Others that are back reported that their power was lost.'
    : `${formatCount(lostPower)} of ${formatCount(back)} that are back reported that their power was lost.`

const describePower = ({ lostPower, observed, endedAt, confidence }: Words) => {
  if (lostPower > 0) return 'The dish reported that its power was lost.'
  const isOver = endedAt !== null
  if (isOver && confidence >= LIKELY)
    return 'When the dish reported again it had just started, as after a loss of power.'
  const others =
    observed === null
      ? 'Terminals'
      : observed > MAX_COUNTED
        ? `More than ${MAX_COUNTED} terminals`
        : formatCounted(observed - 1, 'terminal')
  const [work, is] = isOver ? ['worked', 'was'] : [`work${observed === 2 ? 's' : ''}`, 'is']
  return `${others} nearby still ${work}, so the network ${is} there. The power or a cable is the most common cause.`
}

const describeBlocked = ({ signalQuality, obstruction }: Words) => {
  // Unknown to a customer if terminals of others are concerned.
  if (signalQuality === null && obstruction === null) return 'The sky was hidden, as under snow or heavy rain.'
  if ((obstruction ?? 0) >= 0.15)
    return `Something hid the sky ${formatPercent((obstruction as number) * 100)} of the time before.`
  return `The signal had fallen to ${formatPercent((signalQuality ?? 0) * 100)}, as under snow or heavy rain.`
}

/** The evidence for the cause, with distances in these units. */
export const explainIncident = (incident: Words, units: Units): string[] => {
  const { cause, window } = incident
  if (window === null) return explainCause(incident, units)
  if (cause === 'planned') return [`It happened in the maintenance window “${window}”.`]
  const outlasted = incident.endedAt === null ? 'has outlasted' : 'outlasted'
  return [`It began in the maintenance window “${window}” and ${outlasted} it.`, ...explainCause(incident, units)]
}

const describeFault = ({ alerts }: Words) => {
  const faults = alerts.filter((alert) => equipmentAlerts.includes(alert)).map(getAlertTitle)
  return `The dish had reported a fault of its own${faults.length === 0 ? '' : `: ${faults.join(', ')}`}.`
}

const restartReasons = { reboot: 'on request', update: 'for a software update' }

const describeRestart = ({ restart, terminals, endedAt }: Words) => {
  const isOne = terminals === 1
  const did = endedAt === null ? `${isOne ? 'is' : 'are'} restarting` : 'restarted'
  const reason = restart === null ? 'on request or for a software update' : restartReasons[restart]
  return `${isOne ? 'It' : 'They'} ${did} ${reason}.`
}

const explainCause = (incident: Words, units: Units): string[] => {
  const { cause, reach, terminals, place, warning } = incident
  const isOver = incident.endedAt !== null
  if (isWarning(cause)) return warning ? explainWarning(cause, warning, isOver, units) : []
  switch (cause) {
    case 'network':
      return reach === 'area' || reach === 'fleet'
        ? [describeTogether(incident, units), `The network ${isOver ? 'was' : 'is'} at fault, not the dish.`]
        : ['Its last reports had lost every ping, so the dish had power and found no network.']
    case 'power':
      return reach === 'area' || reach === 'fleet'
        ? [describeTogether(incident, units), describePowerOfMany(incident)]
        : [describePower(incident)]
    case 'restart':
      return ['The dish started again by itself within a few minutes.']
    case 'obstruction':
      return reach === 'area' && terminals > 1
        ? [
            `${formatCount(terminals)} terminals${around(place)} were lost one after the other.`,
            describeBlocked(incident),
          ]
        : [describeBlocked(incident)]
    case 'equipment':
      return [describeFault(incident)]
    case 'disabled':
      return [`Starlink ${isOver ? 'had' : 'has'} disabled the service.`]
    case 'quota':
      return [
        `Starlink ${isOver ? 'had' : 'has'} disabled the service because the data ${isOver ? 'was' : 'is'} used up.`,
      ]
    case 'planned':
      return [describeRestart(incident)]
    case 'not observed':
      return ['No data reached us, so nobody can say whether the terminals worked.']
    case 'unknown':
      return [isOver ? 'Nothing shows what the cause was.' : 'Nothing shows the cause yet.']
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
