import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TerminalListItem } from '#contract/terminals.ts'
import { countByStatus, FleetFilter, filterFleet } from './fleet-filter.ts'

const terminal = (change: Partial<TerminalListItem>): TerminalListItem => ({
  id: 'T1',
  deviceID: 'ut0100',
  serviceLine: 'SL-1',
  nickname: 'nome-school',
  customname: 'Nome School (Main)',
  status: 'online',
  alerts: [],
  isMobile: false,
  coordinates: null,
  street: null,
  city: 'Utqiaġvik',
  state: 'AK',
  lastSeen: null,
  ...change,
})

const school = terminal({})
const boat = terminal({ id: 'T2', customname: 'F/V Dawn', isMobile: true, alerts: ['disabled_roam_restricted'] })
const lodge = terminal({ id: 'T3', customname: 'Lodge', status: 'offline' })
const fleet = [school, boat, lodge]

test('a terminal with a disabling alert counts as disabled and nowhere else', () => {
  expect(countByStatus(fleet)).toEqual({ online: 1, offline: 1, 'no data': 0, disabled: 1 })
  expect(filterFleet(fleet, { status: 'disabled' })).toEqual([boat])
  expect(filterFleet(fleet, { status: 'online' })).toEqual([school])
})

test('search takes the text literally and in any case of letters', () => {
  expect(filterFleet(fleet, { q: '(MAIN)' })).toEqual([school])
  expect(filterFleet(fleet, { q: 'f/v' })).toEqual([boat])
  expect(filterFleet(fleet, { q: '.*' })).toEqual([])
  expect(filterFleet(fleet, { q: 'UTQIAĠVIK, ak' })).toEqual(fleet)
})

test('search finds alerts, status words and the Mobile mark', () => {
  expect(filterFleet(fleet, { q: 'roam_restricted' })).toEqual([boat])
  expect(filterFleet(fleet, { q: 'offline' })).toEqual([lodge])
  expect(filterFleet(fleet, { q: 'mobile' })).toEqual([boat])
})

test('any part of a name finds its terminal, whatever characters it has', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(), (name, from, length) => {
      const named = terminal({ customname: name })
      const part = name.slice(from % name.length, (from % name.length) + 1 + (length % name.length))
      expect(filterFleet([named], { q: part })).toEqual([named])
    }),
  )
})

test('an address with nonsense in it shows everything', () => {
  expect(FleetFilter.parse({ status: 'sunk', q: 7 })).toEqual({ status: undefined, q: '7' })
})
