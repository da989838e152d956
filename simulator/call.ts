import type { Credential } from './accounts.ts'
import { fail } from './response.ts'
import type { Simulation } from './simulation.ts'

/** One authorized call to the vendor's API. */
export type ApiCall = {
  simulation: Simulation
  credential: Credential
  params: Record<string, string>
  query: URLSearchParams
  body: unknown
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

/** Reads a whole number from a query or a body; anything else is a bad request. */
export const parseWholeNumber = (
  value: unknown,
  name: string,
  fallback: number,
  least: number,
  most: number,
): number => {
  if (value === undefined || value === null) return fallback
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number
  throw new RequestError(400, `The value is not valid; it must be a whole number from ${least} to ${most}.`, name)
}

export const getField = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined

export class RequestError extends Error {
  readonly status: number
  readonly members: string[]

  constructor(status: number, message: string, ...members: string[]) {
    super(message)
    this.status = status
    this.members = members
  }

  toResponse() {
    return fail(this.status, this.message, ...this.members)
  }
}

/** A malformed escape is a bad request. */
export const decodePathSegment = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new RequestError(400, 'The address is not valid.')
  }
}
