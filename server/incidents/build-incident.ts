import { cellToLatLng, greatCircleDistance, UNITS } from 'h3-js'
import type { IncidentCause, IncidentReach } from '#contract/incident-cause.ts'
import type { WarningFigures } from '#contract/warning-figures.ts'
import type { Loss } from './loss.ts'
import { hasLostPower } from './own-cause.ts'

/** The evidence for a verdict. Plain data, stored as is. */
export interface Evidence {
  /** Terminals at the same location that were working just before, including the lost ones. */
  observed: number
  /** Losses that have ended, and how many of them with a reported power loss. */
  back: number
  lostPower: number
  /** The worst values before the losses; null if nothing is stored. */
  signalQuality: number | null
  obstruction: number | null
  alerts: string[]
  /** The maintenance window in which all losses began. */
  window?: string
  /** Why all of them restarted, if that was planned. */
  restart?: 'reboot' | 'update'
  /** For an early warning. */
  warning?: WarningFigures
}

export interface Verdict {
  cause: IncidentCause
  confidence: number
  reach: IncidentReach
  observed: number
  restart?: Evidence['restart'] | undefined
}

export interface FoundIncident extends Omit<Verdict, 'observed' | 'restart'> {
  /** Set if it was grouped manually. */
  id: string | null
  startedAtMs: number
  /** Null while any loss of a terminal of the account is ongoing. */
  endedAtMs: number | null
  /** In chronological order. */
  losses: Loss[]
  center: [latitude: number, longitude: number] | null
  radiusKm: number | null
  evidence: Evidence
}

const highest = (values: Iterable<number>) => {
  let found: number | null = null
  for (const value of values) if (found === null || value > found) found = value
  return found
}

const negate = (value: number | null) => (value === null ? null : -value)

const getMedian = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] as number

export const locate = (losses: readonly Loss[]): Pick<FoundIncident, 'center' | 'radiusKm'> => {
  const places = losses.flatMap(({ cell }) => (cell === null ? [] : [cellToLatLng(cell)]))
  if (places.length === 0) return { center: null, radiusKm: null }
  const center: [number, number] = [getMedian(places.map(([lat]) => lat)), getMedian(places.map(([, lng]) => lng))]
  const radiusKm = highest(places.map((place) => greatCircleDistance(center, place, UNITS.km))) as number
  return { center, radiusKm: Math.ceil(radiusKm) }
}

/** A terminal that left the account while it was down does not come back, and is no longer missed. */
const findEnd = (losses: readonly Loss[]) => {
  const ends = losses.flatMap(
    ({ lostAtMs, backAtMs, removedAtMs }) => backAtMs ?? (removedAtMs ? Math.max(lostAtMs, removedAtMs) : []),
  )
  return ends.length < losses.length ? null : highest(ends)
}

const findCommonWindow = (losses: readonly Loss[]): Pick<Evidence, 'window'> => {
  const names = new Set(losses.map(({ window }) => window?.name))
  const [name] = names
  return names.size === 1 && name !== undefined ? { window: name } : {}
}

export const buildIncident = (losses: readonly Loss[], { observed, restart, ...verdict }: Verdict): FoundIncident => {
  const inOrder = losses.toSorted((one, other) => one.lostAtMs - other.lostAtMs || one.terminalId - other.terminalId)
  const reports = losses.flatMap(({ before }) => before ?? [])
  const alerts = losses.flatMap(({ before, after }) => [...(before?.alerts ?? []), ...(after?.alerts ?? [])])
  return {
    ...verdict,
    id: null,
    confidence: Math.round(verdict.confidence * 100) / 100,
    startedAtMs: (inOrder[0] as Loss).lostAtMs,
    endedAtMs: findEnd(losses),
    losses: inOrder,
    ...locate(losses),
    evidence: {
      observed,
      back: losses.filter(({ backAtMs }) => backAtMs !== null).length,
      lostPower: losses.filter(hasLostPower).length,
      signalQuality: negate(highest(reports.flatMap(({ signalQuality }) => negate(signalQuality) ?? []))),
      obstruction: highest(reports.flatMap(({ obstruction }) => obstruction ?? [])),
      alerts: [...new Set(alerts)].sort(),
      ...findCommonWindow(losses),
      ...(restart && { restart }),
    },
  }
}
