/** The probable cause of an outage. */
export const outageCauses = [
  'network',
  'power',
  'restart',
  'obstruction',
  'equipment',
  'disabled',
  'quota',
  'planned',
  'not observed',
  'unknown',
] as const

/** Problems that will stop a terminal unless they are fixed. It still works. */
export const warningCauses = [
  'growing obstruction',
  'fading signal',
  'away from address',
  'near border',
  'abroad',
  'restarting',
  'unusual usage',
] as const

export const incidentCauses = [...outageCauses, ...warningCauses] as const

export type OutageCause = (typeof outageCauses)[number]
export type WarningCause = (typeof warningCauses)[number]
export type IncidentCause = (typeof incidentCauses)[number]

export const isWarning = (cause: IncidentCause): cause is WarningCause =>
  (warningCauses as readonly IncidentCause[]).includes(cause)

/**
 * The extent of an incident: one terminal, several without a common location, an area, or most of the fleet.
 */
export const incidentReaches = ['terminal', 'several', 'area', 'fleet'] as const

export type IncidentReach = (typeof incidentReaches)[number]
