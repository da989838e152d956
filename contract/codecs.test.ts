import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import {
  alertNames,
  commaList,
  coordinates,
  flag,
  id,
  jsonText,
  jsonTextList,
  looseBoolean,
  looseNumber,
  microseconds,
  moment,
  oneOrZero,
  wholeNumber,
} from './codecs.ts'
import { DataBlock, dataBlocks } from './data-block.ts'
import { PeriodMin, periodsMin } from './period.ts'
import { PhoneNumber } from './phone.ts'
import { snowMeltModes, TerminalConfig } from './snow-melt.ts'
import { TerminalStatus } from './terminal-status.ts'

/** The value after encoding, JSON and decoding. */
const survives = <Schema extends z.ZodMiniType>(schema: Schema, values: fc.Arbitrary<z.output<Schema>>) =>
  fc.assert(
    fc.property(values, (value) => {
      const wire = JSON.parse(JSON.stringify(z.encode(schema, value)) ?? 'null')
      expect(z.decode(schema, wire)).toEqual(value)
    }),
  )

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
const storable = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.isWellFormed())

describe('every codec round-trips', () => {
  it.each<[string, z.ZodMiniType, fc.Arbitrary<unknown>]>([
    ['alerts', alertNames, fc.array(storable)],
    ['coordinates', coordinates, fc.option(fc.tuple(number, number))],
    ['JSON text', jsonText(z.array(z.number())), fc.array(number)],
    ['JSON text encoded twice', jsonText(jsonText(z.array(z.number()))), fc.array(number)],
    [
      'JSON text of a list',
      jsonTextList(moment),
      fc.array(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })),
    ],
    ['data blocks', dataBlocks, fc.array(fc.record({ dataBlockType: fc.string(), totalAmountGB: number }))],
    ['loose booleans', looseBoolean, fc.boolean()],
    ['flags', flag, fc.boolean()],
    ['one or zero', oneOrZero, fc.boolean()],
    ['loose numbers', looseNumber, fc.option(number)],
    ['whole numbers', wholeNumber(0, 1000), fc.integer({ min: 0, max: 1000 })],
    ['ids', id, fc.bigInt(0n, 10n ** 18n - 1n).map(String)],
    ['lists with commas', commaList(100_000), fc.array(fc.stringMatching(/^[a-z0-9-]{1,20}$/))],
    ['periods', PeriodMin, fc.constantFrom(...periodsMin)],
    ['terminal configurations', TerminalConfig, fc.record({ snowMeltMode: fc.constantFrom(...snowMeltModes) })],
    ['status', TerminalStatus, fc.constantFrom('online', 'offline', 'no data')],
    ['phone numbers', PhoneNumber, fc.stringMatching(/^\+1\d{10}$|^\+[2-9]\d{9,12}$/)],
    ['moments', moment, fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') })],
  ])('%s', (_name, schema, values) => survives(schema, values))

  it('microseconds, without losing one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000_000 }), (us) => {
        expect(z.encode(microseconds, z.decode(microseconds, us))).toBe(us)
      }),
    )
  })
})

describe('alerts', () => {
  it.each<[string | string[] | null | undefined, string[]]>([
    ['', []],
    ['[]', []],
    [null, []],
    [undefined, []],
    ['["disabled","pop_change"]', ['disabled', 'pop_change']],
    ["['disabled', 'pop_change']", ['disabled', 'pop_change']],
    ['[disabled, pop_change]', ['disabled', 'pop_change']],
    ['disabled', ['disabled']],
    ['disabled, pop_change', ['disabled', 'pop_change']],
    ['null', []],
    ['7', []],
    ['"disabled"', ['disabled']],
    ['{"a":1}', []],
    [['disabled'], ['disabled']],
  ])('%j reads as %j', (wire, names) => expect(z.decode(alertNames, wire)).toEqual(names))

  it('are the same names in every wire form', () => {
    const names = fc.array(fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/), { minLength: 1 })
    fc.assert(
      fc.property(names, (list) => {
        const inQuotes = (mark: string) => `[${list.map((name) => mark + name + mark).join(', ')}]`
        // A bare word may be valid JSON: true, null.
        const forms = [
          list,
          inQuotes('"'),
          inQuotes("'"),
          ...(list.length > 1 ? [list.join(','), list.join(', ')] : []),
        ]
        for (const wire of forms) expect(z.decode(alertNames, wire)).toEqual(list)
      }),
    )
  })

  it('read anything without failing', () => {
    fc.assert(fc.property(fc.string(), (wire) => Array.isArray(z.decode(alertNames, wire))))
  })
})

describe('coordinates', () => {
  it.each(['', '[]', '[1]', '[1,2,3]', '[1,null]', '["1",2]', 'null', '{}', '[1,', null, undefined])(
    '%j is an unknown place',
    (wire) => expect(z.decode(coordinates, wire)).toBeNull(),
  )

  it('are latitude first, then longitude', () => {
    expect(z.decode(coordinates, '[52.9, 173.2]')).toEqual([52.9, 173.2])
    expect(z.encode(coordinates, [52.9, 173.2])).toBe('[52.9,173.2]')
  })
})

describe('unexpected responses', () => {
  it('lose only the data block that is invalid', () => {
    expect(z.decode(jsonTextList(DataBlock), '[{"dataBlockType":"Overage"},{"totalAmountGB":1},7]')).toEqual([
      { dataBlockType: 'Overage' },
    ])
    expect(z.decode(dataBlocks, 'no JSON')).toEqual([])
  })

  it.each([undefined, null, '', 'x', '{}', '"{}"', '"{\\"snowMeltMode\\":\\"LATER\\"}"'])(
    'melt snow automatically when the configuration says %j',
    (wire) => expect(z.decode(TerminalConfig, wire)).toEqual({ snowMeltMode: 'AUTO' }),
  )

  it('read an unknown status as no data', () => {
    expect(z.decode(TerminalStatus, 'rebooting')).toBe('no data')
    expect(z.decode(TerminalStatus, null)).toBe('no data')
    expect(z.decode(TerminalStatus, 'Online')).toBe('online')
  })

  it("take 'true' for true and nothing else", () => {
    expect([true, 'true', 'True', 1, '', null, undefined].map((wire) => z.decode(looseBoolean, wire))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('numbers in requests', () => {
  it.each(['1.5', '1e3', '-1', ' 1', '', '0x10', '1,000', 1.5, Number.NaN, 1001, '1001', null, true])(
    'refuse %j',
    (wire) => expect(z.safeDecode(wholeNumber(0, 1000), wire as string).success).toBe(false),
  )

  it.each(['abc', '', '-1', '1.0', '1234567890123456789', -1, 1.5])('refuse %j as an id', (wire) =>
    expect(z.safeDecode(id, wire).success).toBe(false),
  )

  it.each(['16', 16, '15.0', '015', null])('refuse %j as a period', (wire) =>
    expect(z.safeDecode(PeriodMin, wire as '15').success).toBe(false),
  )
})
