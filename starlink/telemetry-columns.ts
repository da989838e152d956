import { terminalMeasures } from './telemetry-measures.ts'

/** Known columns and alerts. Their order and codes always come from the response. */
export const TERMINAL_COLUMNS = [
  'DeviceType',
  'UtcTimestampNs',
  'DeviceId',
  ...terminalMeasures.map(({ column }) => column),
  'Uptime',
  'H3CellId',
  'SecondsUntilSwupdateRebootPossible',
  'RunningSoftwareVersion',
  'CountryCode',
  'InTerritorialWaters',
  'ActiveAlerts',
]

const BANDS = ['Clients2Ghz', 'Clients5Ghz']
const perBand = (measure: string) =>
  BANDS.flatMap((band) => ['Min', 'Max', 'Avg'].map((of) => `${band}${measure}${of}`))

export const ROUTER_COLUMNS = [
  'DeviceType',
  'UtcTimestampNs',
  'DeviceId',
  'WifiUptimeS',
  'WifiSoftwareVersion',
  'WifiIsRepeater',
  'WifiIsBypassed',
  'InternetPingDropRate',
  'InternetPingLatencyMs',
  'WifiPopPingDropRate',
  'WifiPopPingLatencyMs',
  'DishPingDropRate',
  'DishPingLatencyMs',
  'Clients',
  'Clients2Ghz',
  'Clients5Ghz',
  'ClientsEth',
  'WanRxBytes',
  'WanTxBytes',
  ...perBand('RxRateMbps'),
  ...perBand('TxRateMbps'),
  ...perBand('SignalStrength'),
  'DishId',
]

/** Columns that only some accounts receive. */
export const OPTIONAL_COLUMNS = ['ActiveAlert', 'ActiveAlerts', 'WifiHardwareVersion', 'WifiHopsFromController']

export const ADDRESS_COLUMNS = [
  'DeviceType',
  'UtcTimestampNs',
  'DeviceId',
  'AccountNumber',
  'Ipv4',
  'Ipv6Ue',
  'Ipv6Cpe',
] as const

export const DEVICE_TYPES: Record<string, string> = { u: 'UserTerminal', r: 'Router', i: 'IpAllocs' }

export const TERMINAL_ALERTS: Record<string, string> = {
  50: 'ethernet_slow_10mbps',
  51: 'ethernet_slow_100mbps',
  52: 'power_supply_thermal_throttling',
  53: 'actuator_motor_stuck',
  54: 'mast_not_vertical',
  55: 'disabled_no_active_account',
  56: 'disabled_too_far_from_service_address',
  57: 'disabled_no_service_in_ocean',
  58: 'disabled_invalid_country',
  59: 'moving_while_not_mobile',
  60: 'disabled_moving_too_fast',
  61: 'power_disconnect_detected',
  62: 'pop_change',
  63: 'unable_to_align',
  64: 'high_sky_obstruction',
  65: 'high_sky_obstruction_mobile',
  66: 'high_time_obstruction',
  67: 'high_time_obstruction_mobile',
  79: 'software_update_reboot_pending',
  80: 'thermal_shutdown',
  81: 'thermal_throttling',
  83: 'disabled_blocked_country',
  84: 'disabled_data_usage_exceeded_quota',
  89: 'disabled_cell_is_disabled',
  92: 'disabled_unlicensed_country',
  93: 'disabled_roam_restricted',
  94: 'disabled_unknown_location',
  95: 'disabled_account_disabled',
  96: 'disabled_unsupported_version',
  97: 'data_overage_rate_limited',
}
