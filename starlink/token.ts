import { StarlinkError } from './errors.ts'
import { send } from './transport.ts'
import { Token } from './wire.ts'

export type TokenSource = {
  /** The cached token or a new one. Concurrent callers share one request. */
  current(): Promise<string>
  /** Drops a token that the vendor refused, so that the next `current()` requests a new one. */
  discard(token: string): void
}

type Options = {
  tokenUrl: string
  clientId: string
  clientSecret: string
  now: () => number
  signal?: AbortSignal
}

const RENEW_BEFORE_MS = 60_000
const TIMEOUT_MS = 15_000
const CALL = 'POST token'

export const createTokenSource = (options: Options): TokenSource => {
  const { tokenUrl, clientId, clientSecret, now, signal } = options
  let cached: { token: string; renewAtMs: number } | null = null
  let minting: Promise<string> | null = null

  const mint = async () => {
    const { status, body } = await send({
      url: tokenUrl,
      call: CALL,
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        grant_type: 'client_credentials',
      }).toString(),
      timeoutMs: TIMEOUT_MS,
      signal,
    })
    if (status !== 200) throw toTokenError(status)
    const parsed = Token.safeParse(parseJson(body))
    if (!parsed.success) {
      throw new StarlinkError('returned no token', { failure: 'malformed', fate: 'refused', status, call: CALL })
    }
    const { access_token: token, expires_in: lifetimeS } = parsed.data
    cached = { token, renewAtMs: now() + Math.max(lifetimeS * 1000 - RENEW_BEFORE_MS, lifetimeS * 500) }
    return token
  }

  return {
    current() {
      if (cached && now() < cached.renewAtMs) return Promise.resolve(cached.token)
      minting ??= mint().finally(() => {
        minting = null
      })
      return minting
    },
    discard(token) {
      if (cached?.token === token) cached = null
    },
  }
}

// The call that needed the token was not sent, so its fate is always 'refused'.
const toTokenError = (status: number) => {
  if (status === 429)
    return new StarlinkError('exceeded the rate limit', { failure: 'busy', fate: 'refused', status, call: CALL })
  if (status >= 500)
    return new StarlinkError(`failed with ${status}`, { failure: 'failing', fate: 'refused', status, call: CALL })
  if (status === 404)
    return new StarlinkError('found nothing at the token URL', {
      failure: 'rejected',
      fate: 'refused',
      status,
      call: CALL,
    })
  return new StarlinkError('was refused: the client id or secret is wrong', {
    failure: 'credentials',
    fate: 'refused',
    status,
    call: CALL,
  })
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
