import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { TerminalDetailsItem, TerminalListItem } from '#contract/terminals.ts'
import { readChange, readDetailsItem, readListItem } from './read-terminal.ts'

const textOrNull = fc.option(fc.string())
const numberOrNull = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))
const names = fc.array(fc.constantFrom('disabled', 'pop_change', "it's odd", 'a "b"', 'ġ'))

/** All known wire forms of alerts and positions, including the odd ones. */
const alerts = fc.oneof(
  names.map((list) => JSON.stringify(list)),
  names.map((list) => `[${list.map((name) => `'${name}'`).join(', ')}]`),
  names,
  fc.constantFrom('', '[]', 'null', null, 'disabled', 'a,b', '{"a":1}'),
  fc.string(),
)
const place = fc.oneof(
  fc.tuple(numberOrNull, numberOrNull).map((pair) => JSON.stringify(pair)),
  fc.constantFrom(null, '', '[]', '[1]', '[1,2,3]', '[64.5,-165.4]', '["1",2]', '[1e3,2]', 'nonsense', '[,]'),
  fc.string(),
)

const listWire = {
  id: fc.string(),
  deviceID: textOrNull,
  serviceLine: fc.string(),
  nickname: fc.string(),
  customname: textOrNull,
  status: fc.oneof(fc.constantFrom('online', 'offline', 'no data', 'Online', 'sunk', null)),
  alerts,
  isMobile: fc.constantFrom(true, false, 'true', 'false', 1, null),
  coordinates: place,
  street: textOrNull,
  city: textOrNull,
  state: textOrNull,
  lastSeen: fc.option(
    fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((at) => at.toISOString()),
  ),
}
const anyList = fc.record(listWire)
const anyDetails = fc.record({
  ...listWire,
  kitnumber: textOrNull,
  serviceName: textOrNull,
  priority_GB: numberOrNull,
  standard_GB: numberOrNull,
  usage_limit_GB: numberOrNull,
  virtual_plan_name: textOrNull,
  pool_current_usage: numberOrNull,
  pool_usage_limit: numberOrNull,
  data_blocks: fc.constantFrom('[]', '[{"dataBlockType":"OneTimePurchase","totalAmountGB":500}]', 'odd', null),
  opt_in_product_id: textOrNull,
  ipv4: textOrNull,
  ipv6_ue: textOrNull,
  ipv6_cpe: textOrNull,
  obstruction: numberOrNull,
  signal_quality: numberOrNull,
  pingdrop: numberOrNull,
  latency: numberOrNull,
  uplink: numberOrNull,
  downlink: numberOrNull,
  clients: numberOrNull,
  metadata1: textOrNull,
  metadata2: textOrNull,
  metadata3: textOrNull,
})

test('reads a terminal as the contract does, in every form of alerts and coordinates', () => {
  fc.assert(
    fc.property(anyList, (wire) => {
      expect(readListItem(wire)).toEqual(z.decode(TerminalListItem, wire))
    }),
  )
  fc.assert(
    fc.property(anyDetails, (wire) => {
      expect(readDetailsItem(wire)).toEqual(z.decode(TerminalDetailsItem, wire))
    }),
  )
})

test('turns one state of a terminal into the next by its changed fields', () => {
  fc.assert(
    fc.property(anyDetails, anyDetails, (before, other) => {
      const after = { ...other, id: before.id }
      const keys = (Object.keys(after) as (keyof typeof after)[]).filter(
        (key) => key === 'id' || before[key] !== after[key],
      )
      const change = Object.fromEntries(keys.map((key) => [key, after[key]])) as never
      expect(readChange(readDetailsItem(before), change)).toEqual(readDetailsItem(after))
      expect(readChange(readListItem(before), change)).toEqual(readListItem(after))
    }),
  )
})
