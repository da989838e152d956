import { randomBytes } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { sha256 } from '../platform/secrets.ts'

const ACCESS_LIFETIME_S = 15 * 60
export const REFRESH_LIFETIME_DAYS = 30

export interface AccessClaims {
  tenantId: string
  userId: number
  sessionId: string
}

export const signAccessToken = (key: Uint8Array, claims: AccessClaims, now: Date) => {
  const issuedAtS = Math.floor(now.getTime() / 1000)
  return new SignJWT({ tenant: claims.tenantId, session: claims.sessionId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(String(claims.userId))
    .setIssuedAt(issuedAtS)
    .setExpirationTime(issuedAtS + ACCESS_LIFETIME_S)
    .sign(key)
}

/** Returns the claims of a token that one of our keys signed and that has not expired; any other token identifies no user. */
export const readAccessToken = async (
  keys: readonly Uint8Array[],
  token: string,
  now: Date,
): Promise<AccessClaims | undefined> => {
  for (const key of keys)
    try {
      const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: now })
      return { tenantId: String(payload.tenant), userId: Number(payload.sub), sessionId: String(payload.session) }
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error
    }
  return undefined
}

/** Opaque; only its hash is stored. */
export const createRefreshToken = () => {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: sha256(token) }
}
