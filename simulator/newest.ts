import { terminalMeasures } from '#starlink/telemetry-measures.ts'
import type { FleetState } from './changes.ts'
import type { FleetAccount, Terminal } from './fleet.ts'
import { getAddresses } from './ip-addresses.ts'
import { getPresence } from './presence.ts'
import { type Reading, readTerminal, SLOT_MS } from './reading.ts'
import { readRouter } from './router-reading.ts'
import { getCell } from './rows.ts'
import { RETENTION_MS } from './stream.ts'

const formatIso = (ms: number) => new Date(ms).toISOString()

const ALERT_FIELDS: Record<string, string> = {
  alertSoftwareUpdateRebootPending: 'software_update_reboot_pending',
  alertDataOverageRateLimited: 'data_overage_rate_limited',
  alertEthernetSlowLink10: 'ethernet_slow_10mbps',
  alertEthernetSlowLink100: 'ethernet_slow_100mbps',
  alertPsuOtpThrottling: 'power_supply_thermal_throttling',
  alertPopChange: 'pop_change',
  alertActuatorMotorStuck: 'actuator_motor_stuck',
  alertMastNotVertical: 'mast_not_vertical',
  alertUnableToAlign: 'unable_to_align',
  alertHighTimeObstruction: 'high_time_obstruction',
  alertDisabledNoActiveServiceLine: 'disabled_no_active_account',
  alertDisabledTooFarFromServiceAddress: 'disabled_too_far_from_service_address',
  alertDisabledNoServiceInOcean: 'disabled_no_service_in_ocean',
  alertDisabledBlockedCountry: 'disabled_blocked_country',
  alertDisabledMovingTooFast: 'disabled_moving_too_fast',
  alertDisabledDataUsageExceededQuota: 'disabled_data_usage_exceeded_quota',
  alertDisabledCellIsDisabled: 'disabled_cell_is_disabled',
  alertDisabledRoamRestricted: 'disabled_roam_restricted',
  alertDisabledUnknownLocation: 'disabled_unknown_location',
  alertDisabledAccountDisabled: 'disabled_account_disabled',
  alertDisabledUnsupportedSoftware: 'disabled_unsupported_version',
}

/** The time of a terminal's newest row; null if it is older than what the vendor stores. */
const findNewestRowMs = ({ fleet, changes }: FleetState, terminal: Terminal, nowMs: number): number | null => {
  let atMs = Math.floor(nowMs / SLOT_MS) * SLOT_MS
  while (nowMs - atMs <= RETENTION_MS) {
    const presence = getPresence(fleet, changes, terminal, atMs)
    if (presence.reports) return atMs
    atMs = Math.floor((presence.sinceMs - 1) / SLOT_MS) * SLOT_MS
  }
  return null
}

/** The newest stored values of each device, including silent ones. Does not advance the read index. */
export const buildNewestTelemetry = (
  state: FleetState,
  account: FleetAccount,
  wanted: { terminals: boolean; routers: boolean },
  nowMs: number,
) => {
  const userTerminals: Record<string, unknown> = {}
  const routers: Record<string, unknown> = {}
  for (const terminal of account.terminals) {
    const atMs = findNewestRowMs(state, terminal, nowMs)
    const reading = atMs === null ? null : readTerminal(state.fleet, state.changes, terminal, atMs)
    if (atMs === null || reading === null) continue
    if (wanted.terminals) userTerminals[terminal.terminalId] = buildTerminalTelemetry(state, terminal, reading, atMs)
    if (wanted.routers) {
      for (const [nth, routerId] of terminal.routerIds.entries()) {
        routers[routerId] = buildRouterTelemetry(state, terminal, nth, routerId, reading, atMs)
      }
    }
  }
  return { userTerminals: wanted.terminals ? userTerminals : null, routers: wanted.routers ? routers : null }
}

const buildTerminalTelemetry = (
  { fleet, changes }: FleetState,
  terminal: Terminal,
  reading: Reading,
  atMs: number,
) => ({
  userTerminalId: terminal.terminalId,
  timestamp: formatIso(atMs),
  uptimeSeconds: reading.uptimeS,
  softwareVersion: reading.softwareVersion,
  ...Object.fromEntries(terminalMeasures.map(({ name, queryField }) => [queryField, reading[name]])),
  popPingLatencyMsAvg: Math.round(reading.latencyMs),
  countryCode: 'US',
  inTerritorialWaters: terminal.kind === 'vessel',
  h3CellId: getCell(fleet.seed, terminal, atMs),
  secondsUntilSoftwareUpdateRebootPossible: null,
  ...Object.fromEntries(Object.entries(ALERT_FIELDS).map(([field, alert]) => [field, reading.alerts.includes(alert)])),
  ipAllocations: {
    userTerminalId: terminal.terminalId,
    timestamp: formatIso(atMs),
    ...getAddresses(fleet, changes, terminal, atMs),
  },
})

const buildRouterTelemetry = (
  { fleet }: FleetState,
  terminal: Terminal,
  nth: number,
  routerId: string,
  reading: Reading,
  atMs: number,
) => {
  const router = readRouter(fleet, terminal, nth, reading, atMs)
  return {
    routerId,
    userTerminalId: terminal.terminalId,
    timestamp: formatIso(atMs),
    uptimeSeconds: router.uptimeS,
    softwareVersion: reading.softwareVersion,
    hardwareVersion: 'v3',
    isRepeater: router.isRepeater,
    isBypassed: router.isBypassed,
    internetPingDropRate: router.pingDrop,
    internetPingLatencyMs: router.latencyMs,
    popPingDropRate: router.pingDrop,
    popPingLatencyMs: router.latencyMs,
    dishPingDropRate: 0,
    dishPingLatencyMs: router.dishLatencyMs,
    clients: router.clients,
    clients2Ghz: router.clients2Ghz,
    clients5Ghz: router.clients5Ghz,
    clientsEthernet: router.clientsEthernet,
    wanRxBytes: router.receivedBytes,
    wanTxBytes: router.sentBytes,
  }
}
