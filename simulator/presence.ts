import { type Changes, findSwitch, type Switch } from './changes.ts'
import type { Fleet, FleetAccount, Terminal } from './fleet.ts'
import { between, unit } from './noise.ts'
import { findLastOccurrence } from './occurrences.ts'
import { PURPOSE } from './purposes.ts'
import { findEndMs } from './season.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const REBOOT_GAP_MS = 90_000
// More than a day would be shown as "no data".
const LONGEST_OFFLINE_MS = 20 * HOUR_MS
const GLOBAL_OUTAGE_MS = 2.5 * HOUR_MS

export type AbsenceCause = 'not installed' | 'out of season' | 'turn' | 'power cut' | 'reboot' | 'command' | 'outage'

export type Presence =
  | {
      reports: true
      bootedMs: number
      powerReturnedMs: number
      /** An outage has just started, and this is the last row before the terminal stops reporting. */
      isCutOff: boolean
    }
  | { reports: false; sinceMs: number; cause: AbsenceCause }

const buildAbsence = (sinceMs: number, cause: AbsenceCause): Presence => ({ reports: false, sinceMs, cause })

/** Whether a terminal reports at a moment, and when it booted. */
export const getPresence = (fleet: Fleet, changes: Changes, terminal: Terminal, atMs: number): Presence => {
  const commanded = changes.terminals.get(terminal)
  if (!commanded) return getPlannedPresence(fleet, terminal, atMs)
  const planned = getCommandedPresence(fleet, terminal, commanded.down, atMs)
  return planned.reports ? findReboot(planned, commanded.rebootedMs, atMs) : planned
}

/** What happens to a terminal that nobody controls. */
const getPlannedPresence = (fleet: Fleet, terminal: Terminal, atMs: number): Presence => {
  const { seed } = fleet
  const { index, line, role } = terminal
  if (role === 'noData' || line === null) return buildAbsence(0, 'not installed')
  const endedMs = findEndMs(line, atMs)
  if (endedMs !== null && role === 'seasonal') return buildAbsence(endedMs, 'out of season')

  const turn = findOfflineTurn(fleet, terminal, atMs)
  if (turn.isOffline) return buildAbsence(turn.sinceMs, 'turn')
  let bootedMs = turn.sinceMs

  const cutsPerYear = between(6, 20, unit(seed, index, 0, PURPOSE.powerCutRate))
  const cut = findLastOccurrence(seed, index, PURPOSE.powerCut, cutsPerYear, atMs)
  const powerReturnedMs =
    cut.startMs + between(5, 120, unit(seed, index, cut.index, PURPOSE.powerCutLength)) * MINUTE_MS
  if (atMs < powerReturnedMs) return buildAbsence(cut.startMs, 'power cut')
  bootedMs = Math.max(bootedMs, powerReturnedMs)

  const rebootsPerYear = between(20, 40, unit(seed, index, 0, PURPOSE.rebootRate))
  const reboot = findLastOccurrence(seed, index, PURPOSE.reboot, rebootsPerYear, atMs)
  const rebootedMs = reboot.startMs + between(2, 4, unit(seed, index, reboot.index, PURPOSE.rebootLength)) * MINUTE_MS
  if (atMs < rebootedMs) return buildAbsence(reboot.startMs, 'reboot')
  bootedMs = Math.max(bootedMs, rebootedMs)

  const outageMs = findOutageStart(fleet, terminal, atMs)
  if (outageMs !== null && atMs - outageMs >= 15_000) return buildAbsence(outageMs, 'outage')
  return { reports: true, bootedMs, powerReturnedMs, isCutOff: outageMs !== null }
}

/** A terminal that was brought up stays up, whatever was to happen to it, until it is taken down. */
const getCommandedPresence = (fleet: Fleet, terminal: Terminal, down: readonly Switch[], atMs: number): Presence => {
  const newest = findSwitch(down, atMs)
  if (newest === null) return getPlannedPresence(fleet, terminal, atMs)
  if (newest.on) return buildAbsence(newest.atMs, 'command')
  const planned = getPlannedPresence(fleet, terminal, newest.atMs)
  if (!planned.reports && planned.cause === 'not installed') return planned
  const wasUp = planned.reports && !findSwitch(down, newest.atMs - 1)?.on
  return wasUp
    ? { ...planned, isCutOff: false }
    : { reports: true, bootedMs: newest.atMs, powerReturnedMs: newest.atMs, isCutOff: false }
}

const findReboot = (planned: Presence & { reports: true }, rebootedMs: readonly number[], atMs: number): Presence => {
  let { bootedMs } = planned
  for (const startMs of rebootedMs) {
    if (startMs > atMs) continue
    if (atMs < startMs + REBOOT_GAP_MS) return buildAbsence(startMs, 'command')
    bootedMs = Math.max(bootedMs, startMs + REBOOT_GAP_MS)
  }
  return { ...planned, bootedMs }
}

/** Ordinary terminals take turns being offline: a sliding window keeps the offline share of each account constant. */
const findOfflineTurn = (fleet: Fleet, { index, account, role, turn }: Terminal, atMs: number) => {
  const { offlineCount, ordinaryCount } = fleet.accounts[account] as FleetAccount
  if (role !== 'ordinary' || offlineCount === 0) return { isOffline: false, sinceMs: 0 }
  const stepMs = LONGEST_OFFLINE_MS / offlineCount
  const place = (turn + atMs / stepMs) % ordinaryCount
  const width = offlineCount * between(0.7, 1, unit(fleet.seed, index, 0, PURPOSE.offlineLength))
  const isOffline = place < width
  return { isOffline, sinceMs: atMs - (isOffline ? place : place - width) * stepMs }
}

/** The start of the current global or regional outage, if any. */
const findOutageStart = ({ seed }: Fleet, { place }: Terminal, atMs: number): number | null => {
  const whole = findLastOccurrence(seed, 0, PURPOSE.globalOutage, 1, atMs)
  if (atMs - whole.startMs < GLOBAL_OUTAGE_MS) return whole.startMs
  const perYear = 3 + Math.floor(unit(seed, place.region, 0, PURPOSE.regionalOutageRate) * 4)
  const regional = findLastOccurrence(seed, place.region, PURPOSE.regionalOutage, perYear, atMs)
  const lengthMs = between(0.5, 3, unit(seed, place.region, regional.index, PURPOSE.regionalOutageLength)) * HOUR_MS
  return atMs - regional.startMs < lengthMs ? regional.startMs : null
}
