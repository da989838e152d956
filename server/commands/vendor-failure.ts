import { ApiError } from '#contract/errors.ts'
import { StarlinkError } from '#starlink/errors.ts'

/** What became of a call to the vendor that did not end well. */
export interface VendorFailure {
  /** 'refused': certainly nothing was done. 'unknown': perhaps it was, so it must not be sent again. */
  state: 'refused' | 'unknown'
  problem: string
}

export const UNCLEAR = 'Starlink did not say whether it took this. It is being watched and is not sent again.'
const UNREACHABLE = 'Starlink cannot be reached at the moment, so nothing was changed. Please try again later.'
const NO_CREDENTIAL =
  'Starlink does not accept our credential, so nothing was changed. An administrator has to renew it.'

const UNREADABLE = new Set(['busy', 'failing', 'unreachable', 'malformed'])

/** In words for people; whatever is not certain counts as unknown. */
export const toVendorFailure = (error: unknown): VendorFailure => {
  if (!(error instanceof StarlinkError) || error.fate === 'unknown') return { state: 'unknown', problem: UNCLEAR }
  if (error.failure === 'credentials') return { state: 'refused', problem: NO_CREDENTIAL }
  if (UNREADABLE.has(error.failure)) return { state: 'refused', problem: UNREACHABLE }
  const words = error.messages.join(' ') || 'it gave no reason.'
  return { state: 'refused', problem: `Starlink refused this: ${words}` }
}

export const toApiError = ({ state, problem }: VendorFailure) => {
  if (state === 'unknown') return new ApiError(502, 'vendor_unclear', problem)
  const isOurs = problem === UNREACHABLE || problem === NO_CREDENTIAL
  return isOurs ? new ApiError(503, 'vendor_unavailable', problem) : new ApiError(409, 'vendor_refused', problem)
}
