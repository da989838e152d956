/** The state of a terminal as notifications report it. */
export type Condition = 'online' | 'offline' | 'no data' | 'disabled'

export interface StatusEvent {
  kind: 'status'
  /** When it became known. Users cannot be notified before that. */
  knownAtMs: number
  terminalId: number
  lineId: number
  after: Condition
  sinceMs: number
}

/** An outage turned out to be part of an incident, or of a different one than before. */
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
  /** The line or pool that the limit applies to. */
  subject: string
  lineIds: number[]
  percent: number
  usedGb: number
  limitGb: number
}

/** A problem that will stop a terminal unless someone acts. */
export interface WarningEvent {
  kind: 'warning'
  knownAtMs: number
  terminalId: number
  lineId: number
  incidentId: string
}

export type FleetEvent = StatusEvent | IncidentEvent | UsageEvent | WarningEvent
