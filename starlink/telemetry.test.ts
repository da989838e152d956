import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAsJson, parseTelemetry } from './telemetry.ts'
import { DEVICE_TYPES, ROUTER_COLUMNS, TERMINAL_ALERTS, TERMINAL_COLUMNS } from './telemetry-columns.ts'
import { MalformedTelemetry } from './telemetry-layout.ts'
import { terminalMeasures } from './telemetry-measures.ts'

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
const cell = (name: string, value: unknown) =>
  BIG.has(name) && value !== null ? String(value) : JSON.stringify(value ?? null)
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
  values: terminalMeasures.map(({ column }) => terminalRow[column] ?? Number.NaN),
  uptimeS: 349213,
  h3Cell: '855f4157fffffff',
  softwareVersion: '2026.10.20.mr44742',
  countryCode: 'US',
  alerts: ['pop_change'],
}

test('reads a terminal row with exact big integers', () => {
  const batch = parseTelemetry(writeBody([writeRow(TERMINAL_COLUMNS, terminalRow)], { u: TERMINAL_COLUMNS }))
  expect(batch.terminals).toEqual([expected])
  expect(batch).toMatchObject({ skipped: 0, rows: 1, unknown: { columns: [], alerts: [], deviceTypes: [] } })
})

test('reads the same values for any order of the columns', () => {
  const [first, ...rest] = TERMINAL_COLUMNS as [string, ...string[]]
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
          values: terminalMeasures.map(({ column }) => (row as Row)[column] ?? Number.NaN),
          uptimeS: row.Uptime,
          softwareVersion: row.RunningSoftwareVersion,
          alerts: [...new Set(row.ActiveAlerts)].map((code) => TERMINAL_ALERTS[code]),
        })),
      )
    }),
  )
})

test('maps alert codes by the enum of the response, and shows the number of an unnamed code', () => {
  const row = writeRow(TERMINAL_COLUMNS, { ...terminalRow, ActiveAlerts: [262, 999] })
  const batch = parseTelemetry(writeBody([row], { u: TERMINAL_COLUMNS }, { 262: 'pop_change' }))
  expect(batch.terminals[0]?.alerts).toEqual(['pop_change', 'unknown_999'])
  expect(batch.unknown.alerts).toEqual(['unknown_999'])
})

test('accepts a column ActiveAlert with a single code', () => {
  const columns = TERMINAL_COLUMNS.map((name) => (name === 'ActiveAlerts' ? 'ActiveAlert' : name))
  const batch = parseTelemetry(writeBody([writeRow(columns, { ...terminalRow, ActiveAlert: 61 })], { u: columns }))
  expect(batch.terminals[0]?.alerts).toEqual(['power_disconnect_detected'])
  expect(batch.unknown.columns).toEqual([])
})

test('reports unknown columns and device types and loses no row', () => {
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

test('counts a malformed row and reads the others', () => {
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

test('reads an address row with three empty lists as a tombstone', () => {
  const columns = ['DeviceType', 'UtcTimestampNs', 'DeviceId', 'AccountNumber', 'Ipv4', 'Ipv6Ue', 'Ipv6Cpe']
  const row = '["i",1730564202123456789,"ip-ut01000000-00000000-001d3311","ACC-1",[],[],[]]'
  expect(parseTelemetry(writeBody([row], { i: columns })).addresses).toEqual([
    { deviceId: expected.deviceId, atMs: expected.atMs, atUs: expected.atUs, ipv4: [], ipv6Ue: [], ipv6Cpe: [] },
  ])
})

test.each(['', '<html>', 'null', '{}', '{"data":{}}', '{"data":{"values":{}}}'])('refuses the body %j', (body) => {
  expect(() => parseTelemetry(body)).toThrow(MalformedTelemetry)
})

const anyCell = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', ',', '7', 'é') }).map((text) => JSON.stringify(text)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    'null',
    'true',
    'false',
    '[]',
    '-0',
    '1e3',
    '0.1',
    '1.5E-7',
    '12345678901234567',
    '-9007199254740993',
  ),
  fc.array(fc.integer()).map((list) => JSON.stringify(list)),
  fc.bigInt({ min: 1_700_000_000_000_000_000n, max: 1_900_000_000_000_000_000n }).map(String),
)
const testColumns = {
  u: [
    'DeviceType',
    'DeviceId',
    'UtcTimestampNs',
    'DownlinkThroughput',
    'Uptime',
    'RunningSoftwareVersion',
    'ActiveAlerts',
  ],
  r: ['DeviceType', 'Clients', 'DeviceId', 'UtcTimestampNs', 'WifiSoftwareVersion', 'WifiHardwareVersion', 'Novelty'],
  i: ['DeviceType', 'UtcTimestampNs', 'DeviceId', 'AccountNumber', 'Ipv4', 'Ipv6Ue', 'Ipv6Cpe'],
}
const deviceCell = fc.constantFrom('"ut1"', '"ut2"', '"Router-1"', '"Router-2"', '"ip-ut1"')
const timeCell = fc
  .integer({ min: 0, max: 20 })
  .map((step) => String(1_790_000_000_000_000_000n + BigInt(step) * 15_000_000_000n))
const anyRow = fc.constantFrom('u', 'r', 'i', 'x').chain((type) => {
  const columns = testColumns[type as 'u'] ?? []
  const cells = columns
    .slice(1)
    .map((name) => (name === 'DeviceId' ? deviceCell : name === 'UtcTimestampNs' ? timeCell : anyCell))
  const whole = fc.tuple(...cells).map((drawn) => `[${[`"${type}"`, ...drawn].join(',')}]`)
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 1, arbitrary: fc.array(anyCell, { minLength: 1, maxLength: 9 }).map((drawn) => `[${drawn.join(',')}]`) },
    { weight: 1, arbitrary: fc.constantFrom(`["${type}"]`, '[]', 'null', '7', `["${type}", 1]`, '{"values":[]}') },
  )
})

test('scanning the text gives the same batch as parsing the whole body, for any rows', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 30 }), (rows) => {
      const body = writeBody(rows, testColumns)
      expect(parseTelemetry(body)).toEqual(parseAsJson(body))
    }),
    { numRuns: 1000 },
  )
})

test('returns the newest row of each router and the time of every router row', () => {
  const routerRow = (second: number, clients: number) =>
    writeRow(ROUTER_COLUMNS, {
      ...Object.fromEntries(ROUTER_COLUMNS.map((name) => [name, null])),
      DeviceType: 'r',
      UtcTimestampNs: `17305642${String(second).padStart(2, '0')}000000000`,
      DeviceId: 'Router-1',
      Clients: clients,
    })
  const body = writeBody([routerRow(15, 3), routerRow(30, 7), routerRow(0, 5)], { r: ROUTER_COLUMNS })
  const { routers, routerTimesMs } = parseTelemetry(body)
  expect(routers).toMatchObject([{ routerId: 'Router-1', clients: 7, atMs: 1730564230000 }])
  expect(routerTimesMs).toEqual([1730564215000, 1730564230000, 1730564200000])
})
