import { expect, test } from 'vitest'
import { explainIncident } from './incident-words.ts'
import type { Incident } from './incidents.ts'
import { exampleIncident } from './testing/incident.ts'

const explain = (incident: Partial<Incident>) =>
  explainIncident({ ...exampleIncident, ...incident }, 'metric').join(' ')

test('an incident is in the present tense while it lasts, and in the past tense when it is over', () => {
  const area = { reach: 'area', terminals: 17, observed: 19, radiusKm: 120, place: 'Bethel' } as const
  const together = '17 of 19 terminals within 120 km of Bethel lost service at the same time.'
  expect(explain({ ...area, cause: 'network', endedAt: null })).toBe(
    `${together} The network is at fault, not the dish.`,
  )
  expect(explain({ ...area, cause: 'network' })).toBe(`${together} The network was at fault, not the dish.`)
  expect(explain({ cause: 'disabled', endedAt: null })).toBe('Starlink has disabled the service.')
  expect(explain({ cause: 'quota' })).toBe('Starlink had disabled the service because the data was used up.')
  expect(explain({ cause: 'unknown', endedAt: null })).toBe('Nothing shows the cause yet.')
  expect(explain({ cause: 'unknown', window: 'New mast' })).toBe(
    'It began in the maintenance window “New mast” and outlasted it. Nothing shows what the cause was.',
  )
})

test('a planned restart has its reason', () => {
  expect(explain({ cause: 'planned', restart: 'update' })).toBe('It restarted for a software update.')
  expect(explain({ cause: 'planned', restart: 'reboot', endedAt: null })).toBe('It is restarting on request.')
  expect(explain({ cause: 'planned', restart: 'update', terminals: 6, reach: 'several' })).toBe(
    'They restarted for a software update.',
  )
  expect(explain({ cause: 'planned' })).toBe('It restarted on request or for a software update.')
})

test('a dish that was lost several times and is back is not called missing', () => {
  expect(explain({ cause: 'power', confidence: 0.8, back: 3 })).toBe(
    'When the dish reported again it had just started, as after a loss of power.',
  )
  expect(explain({ cause: 'power', confidence: 0.6, back: 0, endedAt: null })).toMatch(
    /^3 terminals nearby still work,/,
  )
  // A guess, because nothing is known of its return.
  expect(explain({ cause: 'power', confidence: 0.6, observed: 2 })).toBe(
    '1 terminal nearby still worked, so the network was there. The power or a cable is the most common cause.',
  )
})

test('nothing is said about figures that a customer may not see', () => {
  const area = { reach: 'area', terminals: 2, observed: null, radiusKm: null } as const
  expect(explain({ ...area, cause: 'obstruction' })).toBe(
    '2 terminals around Nome were lost one after the other. The sky was hidden, as under snow or heavy rain.',
  )
  const power = explain({ ...area, cause: 'power', terminals: 1, back: 0, lostPower: 0, endedAt: null })
  expect(power).toBe(
    'The terminal lost service at the same time as most others in the area. Others that are back reported that their power was lost.',
  )
})

test('a fault of the dish is named', () => {
  expect(explain({ cause: 'equipment', alerts: ['thermal_shutdown', 'mast_not_vertical'] })).toBe(
    'The dish had reported a fault of its own: Shut down by heat.',
  )
  expect(explain({ cause: 'equipment' })).toBe('The dish had reported a fault of its own.')
})

test('a warning that is over makes no prediction', () => {
  const figures = { before: 0.012, now: 0.056, days: 28, since: '2026-10-20', hurtsOn: '2026-11-30', countries: null }
  const rose = 'Obstruction rose from 1.2% to 5.6% in 4 weeks.'
  const warn = { cause: 'growing obstruction', warning: figures } as const
  expect(explain({ ...warn, endedAt: null })).toBe(`${rose} At this pace it will interrupt service around Nov 30.`)
  expect(explain(warn)).toBe(rose)
  const away = { cause: 'away from address', warning: { ...figures, before: null, now: 290, hurtsOn: null } } as const
  expect(explain({ ...away, endedAt: null })).toMatch(/^The dish is 290 km from its service address\./)
  expect(explain(away)).toMatch(/^The dish was 290 km from its service address\./)
})
