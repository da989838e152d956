/** Whether the vendor certainly did nothing (`refused`), or may have executed the request despite the failure. */
export type Fate = 'refused' | 'unknown'

/**
 * - `credentials`: the vendor does not know this client id and secret
 * - `rejected`: the vendor refused the request (4xx, or `isValid: false`)
 * - `busy`: 429
 * - `failing`: 5xx
 * - `unreachable`: no connection, a broken one, or no response in time
 * - `malformed`: an unreadable response
 */
export type StarlinkFailure = 'credentials' | 'rejected' | 'busy' | 'failing' | 'unreachable' | 'malformed'

type Details = { failure: StarlinkFailure; fate: Fate; status?: number; messages?: string[]; call: string }

/** Contains no secret, token or request body, because it is logged and shown. */
export class StarlinkError extends Error {
  override name = 'StarlinkError'
  readonly failure: StarlinkFailure
  readonly fate: Fate
  readonly status: number | null
  /** The vendor's error messages. */
  readonly messages: string[]

  constructor(summary: string, details: Details) {
    const words = details.messages?.length ? `: ${details.messages.join(' ')}` : ''
    super(`${details.call} ${summary}${words}`)
    this.failure = details.failure
    this.fate = details.fate
    this.status = details.status ?? null
    this.messages = details.messages ?? []
  }
}
