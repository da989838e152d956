import type { TerminalMeasure } from '#starlink/telemetry-measures.ts'
import { getBusyShareAt, isBurst, THROUGHPUT_SIGMA } from './activity.ts'
import { isOutOfData } from './billing.ts'
import type { Changes } from './changes.ts'
import type { Fleet, Terminal } from './fleet.ts'
import { between, gauss, lognormal, pick, round, unit } from './noise.ts'
import { findLastOccurrence } from './occurrences.ts'
import { getPresence, type Presence } from './presence.ts'
import { PURPOSE } from './purposes.ts'
import { readSky } from './sky.ts'

/** What a terminal reports at one moment. */
export type Reading = Record<TerminalMeasure, number> & {
  uptimeS: number
  softwareVersion: string
  alerts: string[]
}

export const SLOT_MS = 15_000
const BUSY_BLOCK_MS = 120_000
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const DISABLED_ALERTS = [
  'disabled_no_active_account',
  'disabled_too_far_from_service_address',
  'disabled_data_usage_exceeded_quota',
  'disabled_account_disabled',
]

export const POP_CHANGES_PER_YEAR = [10, 30] as const

export const findLastPopChange = (seed: number, terminal: Terminal, atMs: number) => {
  const [least, most] = POP_CHANGES_PER_YEAR
  const perYear = between(least, most, unit(seed, terminal.index, 0, PURPOSE.popChangeRate))
  return findLastOccurrence(seed, terminal.index, PURPOSE.popChange, perYear, atMs)
}

export const reportsAt = (fleet: Fleet, changes: Changes, terminal: Terminal, atMs: number) =>
  terminal.line !== null && getPresence(fleet, changes, terminal, atMs).reports

/** Null if the terminal does not report. */
export const readTerminal = (fleet: Fleet, changes: Changes, terminal: Terminal, atMs: number): Reading | null => {
  const presence = getPresence(fleet, changes, terminal, atMs)
  if (!presence.reports || terminal.line === null) return null
  const { seed } = fleet
  const slot = Math.floor(atMs / SLOT_MS)
  const draw = (what: number) => unit(seed, terminal.index, slot, what)
  const uptimeS = Math.max(0, Math.floor((atMs - presence.bootedMs) / 1000))
  const { weather, obstruction, signalQuality } = readSky(fleet, terminal, atMs, draw(PURPOSE.signal))
  const alerts = listAlerts(fleet, terminal, presence, atMs)
  const isDisabled = terminal.role === 'disabled'
  const isSlowed = !isDisabled && isOutOfData(fleet, changes, terminal.line, atMs)
  if (isSlowed) alerts.push('data_overage_rate_limited')

  const isObstructed = draw(PURPOSE.obstructed) < obstruction
  const spike = draw(PURPOSE.spike) < 0.01
  const latency = spike
    ? between(90, 200, draw(PURPOSE.spikeSize))
    : Math.max(20, terminal.place.latencyMs + 4 * gauss(seed, terminal.index, slot, PURPOSE.latency))
  const traffic = isDisabled || presence.isCutOff ? 0 : drawTrafficMbps(fleet, terminal, atMs, slot)
  const downlink = Math.min(traffic * (1 - 0.38 * weather.rain), isSlowed ? 1 : 350)
  const uplink = traffic * between(0.05, 0.15, draw(PURPOSE.uplink)) * (1 - 0.52 * weather.rain)
  return {
    downlinkMbps: round(downlink, 4),
    uplinkMbps: round(Math.min(uplink, isSlowed ? 0.5 : 40), 4),
    pingDrop: presence.isCutOff ? 1 : round(drawPingDrop(draw, isObstructed), 5),
    latencyMs: presence.isCutOff ? 0 : round(latency, 2),
    obstruction: round(obstruction, 6),
    signalQuality: round(signalQuality, 3),
    uptimeS,
    softwareVersion: getSoftwareVersion(seed, terminal, atMs),
    alerts,
  }
}

const drawTrafficMbps = ({ seed }: Fleet, terminal: Terminal, atMs: number, slot: number) => {
  const { index, kind, place, busyMedianMbps } = terminal
  const block = Math.floor(atMs / BUSY_BLOCK_MS)
  const normal = gauss(seed, index, slot, PURPOSE.throughput)
  if (unit(seed, index, block, PURPOSE.busy) >= getBusyShareAt(kind, place, atMs) * terminal.intensity) {
    return Math.min(0.5, Math.max(0.02, lognormal(0.1, 0.8, normal)))
  }
  if (isBurst(unit(seed, index, slot, PURPOSE.burst)))
    return between(80, 250, unit(seed, index, slot, PURPOSE.burstSize))
  return lognormal(busyMedianMbps, THROUGHPUT_SIGMA, normal)
}

const drawPingDrop = (draw: (what: number) => number, isObstructed: boolean) => {
  if (isObstructed) return between(0.02, 0.15, draw(PURPOSE.obstructedDrop))
  if (draw(PURPOSE.pingDrop) < 0.7) return 0
  return Math.min(0.05, -0.004 * Math.log(1 - draw(PURPOSE.pingDropSize)))
}

const listAlerts = (
  { seed }: Fleet,
  terminal: Terminal,
  presence: Extract<Presence, { reports: true }>,
  atMs: number,
) => {
  const { index } = terminal
  const alerts: string[] = []
  if (terminal.role === 'disabled') alerts.push(pick(DISABLED_ALERTS, unit(seed, index, 0, PURPOSE.disabledBy)))
  if (atMs - presence.powerReturnedMs < 2 * SLOT_MS) alerts.push('power_disconnect_detected')
  if (atMs - findLastPopChange(seed, terminal, atMs).startMs < SLOT_MS) alerts.push('pop_change')
  if (terminal.obstruction >= 0.05) alerts.push('high_time_obstruction')
  const defect = unit(seed, index, 0, PURPOSE.defect)
  if (defect < 0.01) alerts.push('ethernet_slow_100mbps')
  else if (defect < 0.02) alerts.push('mast_not_vertical')
  // Updates are installed at night.
  const day = Math.floor(atMs / DAY_MS)
  if (atMs - day * DAY_MS > 0.8 * DAY_MS && unit(seed, index, day, PURPOSE.rollout) < 0.04) {
    alerts.push('software_update_reboot_pending')
  }
  return alerts
}

const versions = new Map<number, string>()

/** One release a week, rolled out to all terminals within six days. */
export const getSoftwareVersion = (seed: number, terminal: Terminal, atMs: number) => {
  const week = Math.floor((atMs - unit(seed, terminal.index, 0, PURPOSE.rollout) * 6 * DAY_MS) / WEEK_MS)
  let version = versions.get(week)
  if (version === undefined) {
    version = `${new Date(week * WEEK_MS).toISOString().slice(0, 10).replaceAll('-', '.')}.mr${40_000 + week}`
    versions.set(week, version)
  }
  return version
}
