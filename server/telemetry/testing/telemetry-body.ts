export interface Row {
  device: string
  atMs: number
  downlinkMbps?: number
  pingDrop?: number
  /** Null if the vendor omitted it from this row. */
  latencyMs?: number | null
  h3Cell?: string
  alerts?: readonly number[]
  /** A fraction. Its column is sent only if a row has it. */
  obstruction?: number
  /** A value of an unknown column. */
  novelty?: number
}

const COLUMNS = [
  'DeviceType',
  'UtcTimestampNs',
  'DeviceId',
  'DownlinkThroughput',
  'PingDropRateAvg',
  'PingLatencyMsAvg',
  'H3CellId',
]
const ALERTS = { 55: 'disabled_no_active_account', 61: 'power_disconnect_detected' }

const nanoseconds = (atMs: number) => `${atMs}000000`

interface Address {
  device: string
  atMs: number
  ipv4: string[]
}

interface RouterRow {
  router: string
  atMs: number
  clients: number
  uptimeS?: number
}

/** Builds a response of the vendor's stream, as text because its integers are larger than JavaScript's. */
export const telemetryBody = (
  rows: readonly Row[],
  { addresses = [], routers = [] }: { addresses?: readonly Address[]; routers?: readonly RouterRow[] } = {},
): string => {
  const novel = rows.some(({ novelty }) => novelty !== undefined)
  const obstructed = rows.some(({ obstruction }) => obstruction !== undefined)
  const columns = [
    ...COLUMNS,
    'ActiveAlerts',
    ...(obstructed ? ['ObstructionPercentTime'] : []),
    ...(novel ? ['BeamTemperature'] : []),
  ]
  const values = [
    ...rows.map(
      ({
        device,
        atMs,
        downlinkMbps = 5,
        pingDrop = 0,
        latencyMs = null,
        h3Cell = '600654498502803455',
        alerts = [],
        obstruction,
        novelty,
      }) =>
        `["u",${nanoseconds(atMs)},"ut${device}",${downlinkMbps},${pingDrop},${latencyMs},${h3Cell},${JSON.stringify(alerts)}${obstructed ? `,${obstruction ?? null}` : ''}${novel ? `,${novelty ?? null}` : ''}]`,
    ),
    ...addresses.map(
      ({ device, atMs, ipv4 }) =>
        `["i",${nanoseconds(atMs)},"ip-${device}","ACC-1",${JSON.stringify(ipv4)},${JSON.stringify(ipv4.map(() => '2605:59c8::/64'))},[]]`,
    ),
    ...routers.map(
      ({ router, atMs, clients, uptimeS }) => `["r",${nanoseconds(atMs)},"${router}",${clients},${uptimeS ?? null}]`,
    ),
  ]
  const layout = {
    u: columns,
    i: ['DeviceType', 'UtcTimestampNs', 'DeviceId', 'AccountNumber', 'Ipv4', 'Ipv6Ue', 'Ipv6Cpe'],
    r: ['DeviceType', 'UtcTimestampNs', 'DeviceId', 'Clients', 'WifiUptimeS'],
  }
  const enums = {
    DeviceType: { u: 'UserTerminal', r: 'Router', i: 'IpAllocs' },
    AlertsByDeviceType: { u: ALERTS, r: {}, i: {} },
  }
  return `{"data":{"values":[${values.join(',')}],"columnNamesByDeviceType":${JSON.stringify(layout)}},"metadata":{"enums":${JSON.stringify(enums)}}}`
}
