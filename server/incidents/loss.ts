import type { RunningWindow } from '../maintenance/planned-times.ts'

/** What a terminal reported around a time; null where nothing is stored. */
export interface Report {
  alerts: readonly string[]
  signalQuality: number | null
  obstruction: number | null
  softwareVersion: string | null
}

/** A period in which a terminal was down, with what is known about its start and end. Plain data, stored as is. */
export interface Loss {
  terminalId: number
  lostAtMs: number
  /** Null while it is ongoing. */
  backAtMs: number | null
  /** When the terminal or its line left the account; read for every evaluation, because it can return. */
  removedAtMs?: number | null
  /** The vendor refuses service; the terminal itself may still report. */
  isDisabled: boolean
  /** The H3 cell of the terminal, of any resolution; null if unknown. */
  cell: string | null
  before: Report | null
  /** All pings of the last rows were lost: the dish had power and no network. */
  lostPingsFirst: boolean
  after: (Report & { bootedAtMs: number | null }) | null
  /** When a user requested a reboot of this terminal shortly before. */
  rebootRequestedAtMs: number | null
  /** The maintenance window in which it began; read for every evaluation, because windows can change. */
  window?: RunningWindow | null
}

export const getLossKey = ({ terminalId, lostAtMs }: Pick<Loss, 'terminalId' | 'lostAtMs'>) =>
  `${terminalId} ${lostAtMs}`
