import { randomBytes } from 'node:crypto'
import type { FleetAccount } from './fleet.ts'
import type { createStream } from './stream.ts'

export type AccountOptions = { clientId: string; clientSecret: string; terminals: number }

/** A credential and its account, with its own read index and request count. */
export type Credential = {
  clientId: string
  clientSecret: string
  account: FleetAccount
  stream: ReturnType<typeof createStream>
  /** Stream calls of one credential are handled sequentially. */
  streaming: Promise<unknown>
  requestsMs: number[]
  pagesServed: number
}

const TOKEN_LIFE_MS = 15 * 60_000
const WINDOW_MS = 60_000
/** The vendor's limit per credential. */
export const REQUESTS_PER_MINUTE = 250

export const createTokens = (credentials: readonly Credential[]) => {
  const issued = new Map<string, { credential: Credential; expiresMs: number }>()
  return {
    mint(form: URLSearchParams, nowMs: number) {
      for (const [token, { expiresMs }] of issued) if (expiresMs <= nowMs) issued.delete(token)
      const credential = credentials.find(({ clientId }) => clientId === form.get('client_id'))
      if (!credential || credential.clientSecret !== form.get('client_secret')) return null
      const token = `sim-${randomBytes(24).toString('base64url')}`
      issued.set(token, { credential, expiresMs: nowMs + TOKEN_LIFE_MS })
      return { access_token: token, expires_in: TOKEN_LIFE_MS / 1000, token_type: 'Bearer', scope: 'public_api' }
    },
    find(authorization: string | undefined, nowMs: number): Credential | null {
      const token = authorization?.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : ''
      const known = issued.get(token)
      return known && known.expiresMs > nowMs ? known.credential : null
    },
  }
}

/** Counts one request. Returns false if the limit of the last minute is already reached. */
export const consumeRequest = (credential: Credential, perMinute: number, nowMs: number): boolean => {
  const { requestsMs } = credential
  while (requestsMs[0] !== undefined && requestsMs[0] <= nowMs - WINDOW_MS) requestsMs.shift()
  if (requestsMs.length >= perMinute) return false
  requestsMs.push(nowMs)
  return true
}
