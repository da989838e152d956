import { latLngToCell } from 'h3-js'
import type { Loss } from '../loss.ts'

export const MINUTE = 60_000
/** When losses begin by default. */
export const T = Date.UTC(2026, 0, 10, 12)
export const BETHEL = latLngToCell(60.79, -161.75, 5)
export const JUNEAU = latLngToCell(58.3, -134.42, 5)

/** A loss near Bethel, of a terminal about which nothing else is known. */
export const createLoss = (terminalId: number, changes: Partial<Loss> = {}): Loss => ({
  terminalId,
  lostAtMs: T,
  backAtMs: null,
  isDisabled: false,
  cell: BETHEL,
  before: null,
  lostPingsFirst: false,
  after: null,
  rebootRequestedAtMs: null,
  ...changes,
})
