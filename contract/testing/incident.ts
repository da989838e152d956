import type { Incident } from '../incidents.ts'

const START = new Date('2026-11-15T12:00:00Z')

/** A terminal's outage of an hour whose cause is unknown. */
export const exampleIncident: Incident = {
  id: 'one',
  cause: 'unknown',
  reach: 'terminal',
  confidence: 0.9,
  name: 'Nome School',
  place: 'Nome',
  startedAt: START,
  openedAt: START,
  endedAt: new Date('2026-11-15T13:00:00Z'),
  terminals: 1,
  back: 1,
  lostPower: 0,
  observed: 4,
  center: null,
  radiusKm: null,
  alerts: [],
  signalQuality: null,
  obstruction: null,
  window: null,
  restart: null,
  warning: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  note: '',
  snoozedUntil: null,
}
