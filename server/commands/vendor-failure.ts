import { ApiError } from '#contract/errors.ts'
import { StarlinkError } from '#starlink/errors.ts'

/** The outcome of a failed call to the vendor. */
export interface VendorFailure {
  /** 'refused': nothing was changed. 'unknown': something may have been changed, so it must not be resent. */
  state: 'refused' | 'unknown'
  problem: string
}

export const UNCLEAR = 'Starlink did not confirm whether it accepted this. It is being tracked and is not sent again.'
const UNREACHABLE = 'Starlink cannot be reached at the moment, so nothing was changed. Please try again later.'
const NO_CREDENTIAL =
  'Starlink does not accept our credential, so nothing was changed. An administrator has to renew it.'

const UNREADABLE = new Set(['busy', 'failing', 'unreachable', 'malformed'])

/** Includes a message for the user. Anything uncertain counts as unknown. */
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
