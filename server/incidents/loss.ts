import type { RunningWindow } from '../maintenance/planned-times.ts'

/** What a terminal reported around a moment; null where nothing is stored of it. */
export interface Report {
  alerts: readonly string[]
  signalQuality: number | null
  obstruction: number | null
  softwareVersion: string | null
}

/** A time in which a terminal did not work, with what is known of its beginning and end. Plain data, stored as it is. */
export interface Loss {
  terminalId: number
  lostAtMs: number
  /** Null while it lasts. */
  backAtMs: number | null
  /** The vendor refuses the service; the terminal itself may report on. */
  isDisabled: boolean
  /** The H3 cell of the terminal, of any resolution; null for an unknown place. */
  cell: string | null
  before: Report | null
  /** The last rows had lost every ping: the dish had power and found no network. */
  lostPingsFirst: boolean
  after: (Report & { bootedAtMs: number | null }) | null
  /** When a user asked for a reboot of this terminal shortly before. */
  rebootRequestedAtMs: number | null
  /** The maintenance window in which it began; read anew whenever it is judged, because windows are changed. */
  window?: RunningWindow | null
}

export const getLossKey = ({ terminalId, lostAtMs }: Pick<Loss, 'terminalId' | 'lostAtMs'>) =>
  `${terminalId} ${lostAtMs}`
