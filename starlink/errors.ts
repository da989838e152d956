/** Whether the vendor certainly did nothing, or may have carried the request out although we saw a failure. */
export type Fate = 'refused' | 'unknown'

/**
 * - `credentials`: the vendor does not know this client id and secret
 * - `rejected`: the vendor answered and said no (4xx, or `isValid: false`)
 * - `busy`: 429
 * - `failing`: 5xx
 * - `unreachable`: no connection, a broken one, or no answer in time
 * - `malformed`: an answer we cannot read
 */
export type StarlinkFailure = 'credentials' | 'rejected' | 'busy' | 'failing' | 'unreachable' | 'malformed'

type Details = { failure: StarlinkFailure; fate: Fate; status?: number; messages?: string[]; call: string }

/** Never carries a secret, a token or a request body: it is logged and shown. */
export class StarlinkError extends Error {
  override name = 'StarlinkError'
  readonly failure: StarlinkFailure
  readonly fate: Fate
  readonly status: number | null
  /** The vendor's own words, where it gave any. */
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
