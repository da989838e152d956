import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MalformedTelemetry, parseTelemetry } from './telemetry.ts'
import { DEVICE_TYPES, TERMINAL_ALERTS, TERMINAL_COLUMNS } from './telemetry-columns.ts'

type Row = Record<string, unknown>

const terminalRow: Row = {
  DeviceType: 'u',
  UtcTimestampNs: '1730564202123456789',
  DeviceId: 'ut01000000-00000000-001d3311',
  DownlinkThroughput: 11.65,
  UplinkThroughput: 0.38,
  PingDropRateAvg: 0,
  PingLatencyMsAvg: 51,
  ObstructionPercentTime: 0.0101,
  Uptime: 349213,
  SignalQuality: 1,
  H3CellId: '600654498502803455',
  SecondsUntilSwupdateRebootPossible: -1,
  RunningSoftwareVersion: '2026.10.20.mr44742',
  CountryCode: 'US',
  InTerritorialWaters: false,
  ActiveAlerts: [62],
}

const BIG = new Set(['UtcTimestampNs', 'H3CellId'])
const cell = (name: string, value: unknown) => (BIG.has(name) && value !== null ? String(value) : JSON.stringify(value))
const writeRow = (columns: readonly string[], row: Row) => `[${columns.map((name) => cell(name, row[name])).join(',')}]`

const writeBody = (
  values: string[],
  columns: Record<string, readonly string[]>,
  alerts: Record<string, string> = TERMINAL_ALERTS,
  types: Record<string, string> = DEVICE_TYPES,
) =>
  `{"data":{"values":[${values.join(',')}],"columnNamesByDeviceType":${JSON.stringify(columns)}},"metadata":{"enums":{"DeviceType":${JSON.stringify(types)},"AlertsByDeviceType":{"u":${JSON.stringify(alerts)}}}}}`

const expected = {
  deviceId: '01000000-00000000-001d3311',
  atMs: 1730564202123,
  atUs: 1730564202123456,
  downlinkMbps: 11.65,
  uplinkMbps: 0.38,
  pingDrop: 0,
  latencyMs: 51,
  obstruction: 0.0101,
  signalQuality: 1,
  uptimeS: 349213,
  h3Cell: '855f4157fffffff',
  softwareVersion: '2026.10.20.mr44742',
  countryCode: 'US',
  alerts: ['pop_change'],
}

test('a terminal row is read with its big integers exact', () => {
  const batch = parseTelemetry(writeBody([writeRow(TERMINAL_COLUMNS, terminalRow)], { u: TERMINAL_COLUMNS }))
  expect(batch.terminals).toEqual([expected])
  expect(batch).toMatchObject({ skipped: 0, rows: 1, unknown: { columns: [], alerts: [], deviceTypes: [] } })
})

test('rows are read the same in whatever order a response names its columns', () => {
  const [first, ...rest] = TERMINAL_COLUMNS
  const samples = fc.array(
    fc.record({
      DownlinkThroughput: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 500 })),
      PingDropRateAvg: fc.option(fc.double({ noNaN: true, min: 0, max: 1 })),
      Uptime: fc.option(fc.nat()),
      UtcTimestampNs: fc.bigInt({ min: 1_700_000_000_000_000_000n, max: 1_900_000_000_000_000_000n }).map(String),
      RunningSoftwareVersion: fc.option(fc.string({ minLength: 1 })),
      ActiveAlerts: fc.array(fc.constantFrom(50, 61, 62, 97)),
    }),
    { maxLength: 20 },
  )
  const order = fc.shuffledSubarray(rest, { minLength: rest.length })
  fc.assert(
    fc.property(samples, order, (drawn, shuffled) => {
      const rows = drawn.map((sample) => ({ ...terminalRow, ...sample }))
      const columns = [first, ...shuffled]
      const read = parseTelemetry(
        writeBody(
          rows.map((row) => writeRow(columns, row)),
          { u: columns },
        ),
      )
      expect(read.skipped).toBe(0)
      expect(read.terminals).toEqual(
        rows.map((row) => ({
          ...expected,
          atMs: Number(BigInt(row.UtcTimestampNs) / 1_000_000n),
          atUs: Number(BigInt(row.UtcTimestampNs) / 1_000n),
          downlinkMbps: row.DownlinkThroughput,
          pingDrop: row.PingDropRateAvg,
          uptimeS: row.Uptime,
          softwareVersion: row.RunningSoftwareVersion,
          alerts: row.ActiveAlerts.map((code) => TERMINAL_ALERTS[code]),
        })),
      )
    }),
  )
})

test('alert codes mean what this response says, and an unnamed one keeps its number', () => {
  const row = writeRow(TERMINAL_COLUMNS, { ...terminalRow, ActiveAlerts: [262, 999] })
  const batch = parseTelemetry(writeBody([row], { u: TERMINAL_COLUMNS }, { 262: 'pop_change' }))
  expect(batch.terminals[0]?.alerts).toEqual(['pop_change', 'unknown_999'])
  expect(batch.unknown.alerts).toEqual(['unknown_999'])
})

test('the column may be called ActiveAlert and hold a single code', () => {
  const columns = TERMINAL_COLUMNS.map((name) => (name === 'ActiveAlerts' ? 'ActiveAlert' : name))
  const batch = parseTelemetry(writeBody([writeRow(columns, { ...terminalRow, ActiveAlert: 61 })], { u: columns }))
  expect(batch.terminals[0]?.alerts).toEqual(['power_disconnect_detected'])
  expect(batch.unknown.columns).toEqual([])
})

test('columns and device types nobody knows are named, and cost nothing', () => {
  const columns = [...TERMINAL_COLUMNS, 'BeamTemperature']
  const rows = [writeRow(columns, { ...terminalRow, BeamTemperature: 3 }), '["d",1,2]', '["z",1]']
  const types = { ...DEVICE_TYPES, d: 'UserTerminalDataUsage' }
  const batch = parseTelemetry(writeBody(rows, { u: columns, d: ['DeviceType', 'A', 'B'] }, TERMINAL_ALERTS, types))
  expect(batch.terminals).toEqual([expected])
  expect(batch.unknown).toEqual({
    columns: ['u.BeamTemperature'],
    alerts: [],
    deviceTypes: ['UserTerminalDataUsage'],
  })
  expect(batch.skipped).toBe(1)
})

test('a malformed row is counted and the others are read', () => {
  const good = writeRow(TERMINAL_COLUMNS, terminalRow)
  const rows = [
    'null',
    '[]',
    '7',
    '["u"]',
    '{"DeviceType":"u"}',
    writeRow(TERMINAL_COLUMNS, { ...terminalRow, DeviceId: null }),
  ]
  const tooLong = `${good.slice(0, -1)},1]`
  const noTime = writeRow(TERMINAL_COLUMNS, { ...terminalRow, UtcTimestampNs: '12' })
  const batch = parseTelemetry(writeBody([...rows, tooLong, noTime, good], { u: TERMINAL_COLUMNS }))
  expect(batch.terminals).toEqual([expected])
  expect(batch.skipped).toBe(8)
})

test('an address row with three empty lists is a tombstone', () => {
  const columns = ['DeviceType', 'UtcTimestampNs', 'DeviceId', 'AccountNumber', 'Ipv4', 'Ipv6Ue', 'Ipv6Cpe']
  const row = '["i",1730564202123456789,"ip-ut01000000-00000000-001d3311","ACC-1",[],[],[]]'
  expect(parseTelemetry(writeBody([row], { i: columns })).addresses).toEqual([
    { deviceId: expected.deviceId, atMs: expected.atMs, atUs: expected.atUs, ipv4: [], ipv6Ue: [], ipv6Cpe: [] },
  ])
})

test.each(['', '<html>', 'null', '{}', '{"data":{}}', '{"data":{"values":{}}}'])('%j is refused as a whole', (body) => {
  expect(() => parseTelemetry(body)).toThrow(MalformedTelemetry)
})
