/** The state of a terminal as notifications report it. */
export type Condition = 'online' | 'offline' | 'no data' | 'disabled'

export interface StatusEvent {
  kind: 'status'
  /** When we learned of it. Nobody can be notified before that. */
  knownAtMs: number
  terminalId: number
  lineId: number
  after: Condition
  sinceMs: number
}

/** A loss turned out to be part of an incident, or of another one than before. */
export interface IncidentEvent {
  kind: 'incident'
  knownAtMs: number
  terminalId: number
  lineId: number
  lostAtMs: number
  incidentId: string
}

export interface UsageEvent {
  kind: 'usage'
  knownAtMs: number
  /** The line or pool whose limit it is. */
  subject: string
  lineIds: number[]
  percent: number
  usedGb: number
  limitGb: number
}

/** Something will stop a terminal if nobody acts. */
export interface WarningEvent {
  kind: 'warning'
  knownAtMs: number
  terminalId: number
  lineId: number
  incidentId: string
}

export type FleetEvent = StatusEvent | IncidentEvent | UsageEvent | WarningEvent
