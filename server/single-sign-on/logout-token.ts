import {
  createRemoteJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  customFetch as jwksFetch,
  jwtVerify,
} from 'jose'
import type { Configuration } from 'openid-client'
import type { Services } from '../platform/context.ts'
import type { Connection } from './connection.ts'
import { CLOCK_TOLERANCE_S, getConfiguration, InvalidProviderResponse } from './provider.ts'
import { createProviderFetch } from './provider-fetch.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A provider sends it at once, and signs a new one for a retry. */
const MAX_AGE_S = 5 * 60

/** Per process, for as long as the provider's metadata is cached. */
const keySets = new WeakMap<Configuration, JWTVerifyGetKey>()

/** The provider's keys. An unknown key id refetches them, at most twice a minute. */
const getKeys = ({ config }: Pick<Services, 'config'>, configuration: Configuration) => {
  const address = configuration.serverMetadata().jwks_uri
  if (!address) throw new InvalidProviderResponse('The provider publishes no keys.')
  const keys =
    keySets.get(configuration) ??
    createRemoteJWKSet(new URL(address), { [jwksFetch]: createProviderFetch(config.outboundNetworks) })
  keySets.set(configuration, keys)
  return keys
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const findFault = (
  { aud, azp, events, nonce, jti, sub, sid }: JWTPayload,
  type: string | undefined,
  client: string,
) => {
  if (type !== undefined && !/^((application\/)?logout\+jwt|JWT)$/i.test(type))
    return 'It is a token for something else.'
  if (Array.isArray(aud) && aud.length > 1 && azp !== client) return 'It is for several clients.'
  if (!isObject(events) || !isObject(events[EVENT])) return 'It does not announce a logout.'
  // An ID token has one, and must not be accepted as a logout token.
  if (nonce !== undefined) return 'It has a nonce.'
  if (typeof jti !== 'string' || jti === '') return 'It has no id.'
  if (typeof sub !== 'string' && typeof sid !== 'string') return 'It names neither a user nor a session.'
  return [sub, sid].some((value) => value !== undefined && typeof value !== 'string') ? 'It names no text.' : undefined
}

const verify = async (token: string, keys: JWTVerifyGetKey, issuer: string, clientId: string) => {
  try {
    return await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      clockTolerance: CLOCK_TOLERANCE_S,
      maxTokenAge: MAX_AGE_S,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
    })
  } catch (error) {
    // The library's generic error means a response without keys.
    const isToken = error instanceof errors.JOSEError && !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT'].includes(error.code)
    throw isToken ? new InvalidProviderResponse(error.message) : error
  }
}

export interface ProviderLogout {
  /** The id of the token, which is valid once. */
  id: string
  /** After this time the token is too old. */
  expiresAt: Date
  issuer: string
  subject: string | undefined
  providerSession: string | undefined
}

/** The content of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6). */
export const readLogoutToken = async (
  services: Pick<Services, 'config'>,
  connection: Connection,
  token: string,
): Promise<ProviderLogout> => {
  const { clientId } = connection
  const configuration = await getConfiguration(services, connection)
  const { issuer } = configuration.serverMetadata()
  const { payload, protectedHeader } = await verify(token, getKeys(services, configuration), issuer, clientId)
  const fault = findFault(payload, protectedHeader.typ, clientId)
  if (fault !== undefined) throw new InvalidProviderResponse(fault)
  return {
    id: payload.jti as string,
    expiresAt: new Date(((payload.iat as number) + MAX_AGE_S + CLOCK_TOLERANCE_S) * 1000),
    issuer,
    subject: payload.sub,
    providerSession: payload.sid as string | undefined,
  }
}
