import { StarlinkError } from './errors.ts'
import { send } from './transport.ts'
import { Token } from './wire.ts'

export type TokenSource = {
  /** The cached token, or a new one; callers that come while one is being minted share it. */
  current(): Promise<string>
  /** The vendor refused this token: the next `current()` mints anew, unless another caller already did. */
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
    if (status !== 200) throw tokenFailure(status)
    const parsed = Token.safeParse(parseJson(body))
    if (!parsed.success) {
      throw new StarlinkError('answered no token', { failure: 'malformed', fate: 'refused', status, call: CALL })
    }
    const { access_token: token, expires_in: livesS } = parsed.data
    cached = { token, renewAtMs: now() + Math.max(livesS * 1000 - RENEW_BEFORE_MS, livesS * 500) }
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

// Whatever became of the token request, the call it was for has not been sent: its fate is always 'refused'.
const tokenFailure = (status: number) => {
  if (status === 429)
    return new StarlinkError('is over its rate', { failure: 'busy', fate: 'refused', status, call: CALL })
  if (status >= 500)
    return new StarlinkError(`failed with ${status}`, { failure: 'failing', fate: 'refused', status, call: CALL })
  if (status === 404)
    return new StarlinkError('found nothing at the token address', {
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
