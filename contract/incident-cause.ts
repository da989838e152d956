/** Whose fault an incident is, as far as it shows. */
export const incidentCauses = [
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

export type IncidentCause = (typeof incidentCauses)[number]

/** How far an incident reaches: one terminal, several without a common place, an area, or most of the fleet. */
export const incidentReaches = ['terminal', 'several', 'area', 'fleet'] as const

export type IncidentReach = (typeof incidentReaches)[number]
