import { type Changes, switchAt, type TerminalChanges } from './changes.ts'
import type { Fleet, Terminal } from './fleet.ts'
import { between, unit } from './noise.ts'
import { lastOccurrence } from './occurrences.ts'
import { FOR } from './purposes.ts'
import { endedAt } from './season.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const REBOOT_GAP_MS = 90_000
const OFFLINE_MS = 1.5 * 24 * HOUR_MS
const GLOBAL_OUTAGE_MS = 2.5 * HOUR_MS

export type Presence =
  | {
      reports: true
      bootedMs: number
      powerReturnedMs: number /** The sky has just gone: the last row before silence. */
      isCutOff: boolean
    }
  | { reports: false; sinceMs: number }

const away = (sinceMs: number): Presence => ({ reports: false, sinceMs })

/** Whether a terminal reports at a moment, and since when it has been running. */
export const presenceAt = (fleet: Fleet, changes: Changes, terminal: Terminal, atMs: number): Presence => {
  const { seed } = fleet
  const { index, line, role } = terminal
  if (role === 'noData' || line === null) return away(0)
  const endedMs = endedAt(line, atMs)
  if (endedMs !== null && role === 'seasonal') return away(endedMs)

  const turn = offlineTurn(fleet, terminal, atMs)
  if (turn.isOffline) return away(turn.sinceMs)
  let bootedMs = turn.sinceMs

  const cutsPerYear = between(6, 20, unit(seed, index, 0, FOR.powerCutRate))
  const cut = lastOccurrence(seed, index, FOR.powerCut, cutsPerYear, atMs)
  const powerReturnedMs = cut.startMs + between(5, 120, unit(seed, index, cut.index, FOR.powerCutLength)) * MINUTE_MS
  if (atMs < powerReturnedMs) return away(cut.startMs)
  bootedMs = Math.max(bootedMs, powerReturnedMs)

  const rebootsPerYear = between(20, 40, unit(seed, index, 0, FOR.rebootRate))
  const reboot = lastOccurrence(seed, index, FOR.reboot, rebootsPerYear, atMs)
  const rebootedMs = reboot.startMs + between(2, 4, unit(seed, index, reboot.index, FOR.rebootLength)) * MINUTE_MS
  if (atMs < rebootedMs) return away(reboot.startMs)
  bootedMs = Math.max(bootedMs, rebootedMs)

  const ordered = changes.terminals.get(terminal)
  if (ordered) {
    const commanded = commandedPresence(ordered, atMs)
    if (commanded.awaySinceMs !== null) return away(commanded.awaySinceMs)
    bootedMs = Math.max(bootedMs, commanded.bootedMs)
  }

  const outageMs = outageSince(fleet, terminal, atMs)
  if (outageMs !== null && atMs - outageMs >= 15_000) return away(outageMs)
  return { reports: true, bootedMs, powerReturnedMs, isCutOff: outageMs !== null }
}

/** Ordinary terminals are offline in turns: a window slides over them, so the share that is offline stays the same. */
const offlineTurn = (fleet: Fleet, { index, role, turn }: Terminal, atMs: number) => {
  if (role !== 'ordinary' || fleet.offlineCount === 0) return { isOffline: false, sinceMs: 0 }
  const stepMs = OFFLINE_MS / fleet.offlineCount
  const place = (turn + atMs / stepMs) % fleet.ordinaryCount
  const width = fleet.offlineCount * between(0.6, 1.4, unit(fleet.seed, index, 0, FOR.offlineLength))
  const isOffline = place < width
  return { isOffline, sinceMs: atMs - (isOffline ? place : place - width) * stepMs }
}

const commandedPresence = ({ down, rebootedMs }: TerminalChanges, atMs: number) => {
  const newest = switchAt(down, atMs)
  if (newest?.on) return { awaySinceMs: newest.atMs, bootedMs: 0 }
  let bootedMs = newest?.atMs ?? 0
  for (const startMs of rebootedMs) {
    if (startMs > atMs) continue
    if (atMs < startMs + REBOOT_GAP_MS) return { awaySinceMs: startMs, bootedMs: 0 }
    bootedMs = Math.max(bootedMs, startMs + REBOOT_GAP_MS)
  }
  return { awaySinceMs: null, bootedMs }
}

/** The start of the outage of the whole constellation or of the terminal's region, if one is on. */
const outageSince = ({ seed }: Fleet, { place }: Terminal, atMs: number): number | null => {
  const whole = lastOccurrence(seed, 0, FOR.globalOutage, 1, atMs)
  if (atMs - whole.startMs < GLOBAL_OUTAGE_MS) return whole.startMs
  const perYear = 3 + Math.floor(unit(seed, place.region, 0, FOR.regionalOutageRate) * 4)
  const regional = lastOccurrence(seed, place.region, FOR.regionalOutage, perYear, atMs)
  const lengthMs = between(0.5, 3, unit(seed, place.region, regional.index, FOR.regionalOutageLength)) * HOUR_MS
  return atMs - regional.startMs < lengthMs ? regional.startMs : null
}
