import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TerminalListItem } from '#contract/terminals.ts'
import { countAlerts, countByStatus, FleetFilter, filterFleet as filterBy } from './fleet-filter.ts'
import { listColumns, listSearch } from './list-columns.ts'

const filterFleet = (terminals: readonly TerminalListItem[], { q, ...filter }: FleetFilter) =>
  filterBy(terminals, { ...filter, text: q }, listSearch)

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

test('counts a terminal with a disabling alert as disabled only', () => {
  expect(countByStatus(fleet)).toEqual({ online: 1, offline: 1, 'no data': 0, disabled: 1 })
  expect(filterFleet(fleet, { status: 'disabled' })).toEqual([boat])
  expect(filterFleet(fleet, { status: 'online' })).toEqual([school])
})

test('finds the same terminals before and after the search texts are prepared', async () => {
  const many = Array.from({ length: 500 }, (_, at) => terminal({ id: `T${at}`, customname: `Boat ${at}` }))
  const found = filterFleet(many, { q: 'boat 49' })
  listSearch.prepare(many, new AbortController().signal)
  await expect.poll(() => listSearch.isPrepared(many)).toBe(true)
  expect(found.map(({ id }) => id)).toEqual(['T49', ...Array.from({ length: 10 }, (_, at) => `T49${at}`)])
  expect(filterFleet(many, { q: 'boat 49' })).toEqual(found)
  expect(filterFleet(many, { q: 'boat' })).toBe(many)
})

test('finds the same after any sequence of edits to the search as without them', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'B', 'ẖ', 'Σ', ' '), maxLength: 3 })
  const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'H̱', 'σ', 'ς', ' '), maxLength: 6 }))
  const edit = fc.record({ keep: fc.nat(4), add: letters, before: fc.boolean() })
  fc.assert(
    fc.property(names, fc.array(edit, { maxLength: 8 }), (customnames, edits) => {
      const all = customnames.map((customname, at) => terminal({ id: `T${at}`, customname }))
      let q = ''
      for (const { keep, add, before } of edits) {
        q = before ? add + q.slice(0, keep) : q.slice(0, keep) + add
        expect(filterFleet(all, { q })).toEqual(filterFleet([...all], { q }))
      }
    }),
  )
})

test('searches for literal text, ignoring case', () => {
  expect(filterFleet(fleet, { q: '(MAIN)' })).toEqual([school])
  expect(filterFleet(fleet, { q: 'f/v' })).toEqual([boat])
  expect(filterFleet(fleet, { q: '.*' })).toEqual([])
  expect(filterFleet(fleet, { q: 'UTQIAĠVIK, ak' })).toEqual(fleet)
})

test('searches alerts, statuses and the Mobile mark', () => {
  expect(filterFleet(fleet, { q: 'roam_restricted' })).toEqual([boat])
  expect(filterFleet(fleet, { q: 'offline' })).toEqual([lodge])
  expect(filterFleet(fleet, { q: 'mobile' })).toEqual([boat])
})

test('searches every column of the list, and the service line', () => {
  const one = terminal({ street: '1 Front St', coordinates: [64.5, -165.4], alerts: ['roaming'], isMobile: true })
  for (const { key, search } of listColumns)
    for (const value of [search?.(one)].flat())
      if (value) expect(filterFleet([one], { q: String(value) }), `${key} ${value}`).toEqual([one])
  expect(listColumns.filter(({ search }) => !search).map(({ key }) => key)).toEqual(['longitude', 'lastSeen'])
  expect(filterFleet([one], { q: 'sl-1' })).toEqual([one])
})

test('finds a terminal by any part of its name, with any characters', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), { minLength: 1 }),
      fc.nat(),
      fc.nat(),
      (letters, from, length) => {
        const named = terminal({ customname: letters.join('') })
        const part = letters
          .slice(from % letters.length, (from % letters.length) + 1 + (length % letters.length))
          .join('')
        expect(filterFleet([named], { q: part })).toEqual([named])
        expect(filterFleet([named], { q: part.toUpperCase() })).toEqual([named])
      },
    ),
    { examples: [[['ẖ', ' '], 0, 0]] },
  )
})

const anyFleet = fc.uniqueArray(
  fc.record({
    id: fc.string(),
    customname: fc.string(),
    status: fc.constantFrom('online' as const, 'offline' as const, 'no data' as const),
    alerts: fc.array(fc.constantFrom('disabled', 'disabled_no_active_account', 'pop_change', 'obstructed')),
  }),
  { selector: ({ id }) => id },
)

test('gives every terminal exactly one status, and filters as many as the badge counts', () => {
  fc.assert(
    fc.property(anyFleet, (items) => {
      const all = items.map(terminal)
      const counts = countByStatus(all)
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(all.length)
      for (const [status, count] of Object.entries(counts))
        expect(filterFleet(all, { status: status as 'online' })).toHaveLength(count)
      const { byName, terminals } = countAlerts(all)
      for (const [alert, count] of byName) expect(filterFleet(all, { alert })).toHaveLength(count)
      expect(terminals).toBe(all.filter(({ alerts }) => alerts.length > 0).length)
    }),
  )
})

test('preserves the order when it filters, and combines two filters', () => {
  fc.assert(
    fc.property(anyFleet, fc.constantFrom('online', 'offline', 'disabled'), fc.string(), (items, status, q) => {
      const all = items.map(terminal)
      const both = filterFleet(all, { status: status as 'online', q })
      expect(both).toEqual(filterFleet(filterFleet(all, { q }), { status: status as 'online' }))
      expect(all.filter((item) => both.includes(item))).toEqual(both)
    }),
  )
})

test('ignores invalid values in the URL', () => {
  expect(FleetFilter.parse({ status: 'sunk', q: 7 })).toEqual({ status: undefined, alert: undefined, q: '7' })
})
