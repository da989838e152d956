import type { Credential } from './accounts.ts'
import { fail } from './answer.ts'
import type { Simulation } from './simulation.ts'

/** One authorised call of the vendor's API. */
export type ApiCall = {
  simulation: Simulation
  credential: Credential
  params: Record<string, string>
  query: URLSearchParams
  body: unknown
  /** Aborted when the caller has gone away. */
  gone: AbortSignal
}

/** A whole number within bounds from a query or a body; anything else is a bad request. */
export const wholeNumber = (value: unknown, name: string, fallback: number, least: number, most: number): number => {
  if (value === undefined || value === null) return fallback
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number
  throw new BadCall(400, `The value is not valid; it must be a whole number from ${least} to ${most}.`, name)
}

export const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined

export class BadCall extends Error {
  readonly status: number
  readonly members: string[]

  constructor(status: number, message: string, ...members: string[]) {
    super(message)
    this.status = status
    this.members = members
  }

  answer() {
    return fail(this.status, this.message, ...this.members)
  }
}

/** A part of a path as it was meant; a broken escape is a bad request. */
export const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new BadCall(400, 'The address is not valid.')
  }
}
