import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchTerminals } from '#contract/match-terminals.ts'
import { parseSearch } from '#contract/search-terms.ts'
import type { TerminalDetailsItem } from '#contract/terminals.ts'
import { sortByName } from '../../parts/fleet/fleet.ts'
import { filterFleet } from '../../parts/fleet/fleet-filter.ts'
import { listSearch } from '../../parts/fleet/list-columns.ts'
import { arrangeRows, fleetColumns, tableSearch } from './columns.ts'

const textOrNull = fc.option(fc.string({ unit: 'grapheme', maxLength: 8 }))
const figureOrNull = fc.option(fc.double({ min: 0, max: 5000, noNaN: true }))

const row: fc.Arbitrary<TerminalDetailsItem> = fc.record({
  id: fc.uuid(),
  deviceID: textOrNull,
  serviceLine: fc.string({ minLength: 1 }),
  nickname: fc.string({ minLength: 1 }),
  customname: textOrNull,
  status: fc.constantFrom('online', 'offline', 'no data'),
  alerts: fc.array(fc.constantFrom('disabled', 'roaming', 'mast_not_vertical'), { maxLength: 2 }),
  isMobile: fc.boolean(),
  coordinates: fc.option(fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: -180, max: 180 }))),
  street: textOrNull,
  city: textOrNull,
  state: textOrNull,
  lastSeen: fc.constant(null),
  kitnumber: textOrNull,
  serviceName: textOrNull,
  priority_GB: figureOrNull,
  standard_GB: figureOrNull,
  usage_limit_GB: figureOrNull,
  virtual_plan_name: textOrNull,
  pool_current_usage: figureOrNull,
  pool_usage_limit: figureOrNull,
  data_blocks: fc.constantFrom([], [{ dataBlockType: 'OneTimePurchase', totalAmountGB: 500 }]),
  opt_in_product_id: textOrNull,
  ipv4: fc.option(fc.ipV4()),
  ipv6_ue: fc.option(fc.ipV6()),
  ipv6_cpe: textOrNull,
  obstruction: figureOrNull,
  pingdrop: figureOrNull,
  latency: figureOrNull,
  uplink: figureOrNull,
  downlink: figureOrNull,
  clients: fc.option(fc.nat()),
  metadata1: textOrNull,
  metadata2: textOrNull,
  metadata3: textOrNull,
})
const fleet = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 12 }).map((rows) => sortByName(rows))
const allTerminals = { text: undefined }
const columnKey = fc.constantFrom(...fleetColumns.map(({ key }) => key))

test('sorts all rows by any column, numbers by value and unknown values last', () => {
  fc.assert(
    fc.property(fleet, columnKey, fc.boolean(), (rows, key, descending) => {
      const sorted = arrangeRows(rows, allTerminals, { key, descending })
      expect(new Set(sorted)).toEqual(new Set(rows))
      expect(sorted).toHaveLength(rows.length)
      const readValue = fleetColumns.find((column) => column.key === key)?.value
      const values = sorted.map((each) => readValue?.(each) ?? null)
      if (key !== 'name') expect(values.lastIndexOf(null)).toBe(values.includes(null) ? values.length - 1 : -1)
      const figures = values.filter((value) => typeof value === 'number')
      expect(figures).toEqual(figures.toSorted((a, b) => (descending ? b - a : a - b)))
    }),
  )
})

test('sorts equal values by name, whatever the order was before', () => {
  fc.assert(
    fc.property(fleet, columnKey, (rows, key) => {
      const once = arrangeRows(rows, allTerminals, { key, descending: false })
      expect(arrangeRows(once, allTerminals, { key, descending: false })).toEqual(once)
    }),
  )
})

test('finds a terminal by any of its fields, and by no other text', () => {
  fc.assert(
    fc.property(row, (terminal) => {
      const { id: _, isMobile: __, alerts, coordinates, data_blocks, lastSeen: ___, ...plain } = terminal
      const fields = [...Object.values(plain), ...alerts, ...(coordinates ?? [])]
      for (const field of [...fields, ...data_blocks.map(({ dataBlockType }) => dataBlockType)])
        if (field !== null && field !== undefined)
          expect(tableSearch.find([terminal], String(field)), String(field)).toEqual([terminal])
      expect(tableSearch.find([terminal], 'a text that nobody has')).toEqual([])
    }),
  )
})

test('a link to a view selects as its page does', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 3 }),
    fc.constantFrom('status:on', '-alert:any', 'mobile', 'of'),
  )
  const selection = fc.record({ status: fc.constantFrom(undefined, 'online', 'disabled' as const), q: text })
  fc.assert(
    fc.property(fleet, selection, (rows, { status, q }) => {
      const { text: plain, matches } = parseSearch(q)
      const terms = matches && { matches: (each: TerminalDetailsItem) => matches(each, { nowMs: 0, pools: undefined }) }
      const find = (search: typeof tableSearch) =>
        filterFleet(rows, { status, text: plain, ...(terms as object) }, search)
      expect(matchTerminals(rows, 'table', { status, q }, 0)).toEqual(find(tableSearch))
      expect(matchTerminals(rows, 'dashboard', { status, q }, 0)).toEqual(find(listSearch))
    }),
  )
})

test('searches every column of the table', () => {
  fc.assert(
    fc.property(row, (terminal) => {
      for (const { key, search } of fleetColumns)
        for (const value of [search(terminal)].flat())
          if (value !== null && value !== undefined)
            expect(tableSearch.find([terminal], String(value)), key).toEqual([terminal])
    }),
  )
})
