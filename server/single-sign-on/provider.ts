import { createHash } from 'node:crypto'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  refreshTokenGrant,
} from 'openid-client'
import type { Config } from '../platform/config.ts'
import type { Services } from '../platform/context.ts'
import { sha256 } from '../platform/secrets.ts'
import { createTimedCache } from '../platform/timed-cache.ts'
import type { Connection } from './connection.ts'
import { createProviderFetch } from './provider-fetch.ts'
import type { Claims } from './rules.ts'

export const CLOCK_TOLERANCE_S = 60
/** The provider's metadata. Its keys are refetched when a signature names an unknown one. */
const CACHE = { lifetimeMs: 10 * 60_000, maxEntries: 1_000 }
/** Reauthentication must be recent, but users may have to read a code from a phone. */
const CONFIRMED_WITHIN_S = 5 * 60

/** The provider itself refused: a code or refresh token is not valid. */
export class ProviderRefusal extends Error {}
/** The response is not from the provider, not for us, or not for this sign-in. */
export class InvalidProviderResponse extends Error {}

/** The provider's clock is so far ahead that its tokens would be valid for longer than they say. */
export class ClockAhead extends InvalidProviderResponse {}

/** Error codes of the library for untrusted responses. Every other failure counts as an unreachable provider. */
const DISTRUSTED = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
  'OAUTH_UNSUPPORTED_OPERATION',
  'OAUTH_JWT_USERINFO_EXPECTED',
])

const toFailure = (error: unknown): Error => {
  if (error instanceof AuthorizationResponseError) return new ProviderRefusal(error.error)
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return new ProviderRefusal(error.error)
  if (error instanceof ClientError && DISTRUSTED.has(error.code ?? ''))
    return new InvalidProviderResponse(error.message)
  // The library throws a TypeError if a response lacks a required field.
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_INVALID_ARG'))
    return new InvalidProviderResponse(error.message)
  return error as Error
}

/** The library does not compare the time of issue with ours. */
const refuseClockAhead = (issuedAtS: number) => {
  const aheadS = issuedAtS - Date.now() / 1000
  if (aheadS > CLOCK_TOLERANCE_S)
    throw new ClockAhead(`The clock of the provider is ${Math.round(aheadS)} seconds ahead of ours.`)
}

const authenticateWith =
  (secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    // The standard's default, which providers require unless they are configured otherwise.
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    return (isBasic ? ClientSecretBasic : ClientSecretPost)(secret)(server, client, body, headers)
  }

type Client = Pick<Connection, 'issuer' | 'clientId' | 'clientSecret'>

export const discover = ({ config }: Pick<Services, 'config'>, { issuer, clientId, clientSecret }: Client) => {
  const { outboundNetworks } = config
  return discovery(new URL(issuer), clientId, { [clockTolerance]: CLOCK_TOLERANCE_S }, authenticateWith(clientSecret), {
    // Requests without https are then limited to these networks, and refused otherwise.
    execute: [enableNonRepudiationChecks, ...(outboundNetworks.length > 0 ? [allowInsecureRequests] : [])],
    [customFetch]: createProviderFetch(outboundNetworks),
  })
}

/** Per process. */
const caches = new WeakMap<Config, ReturnType<typeof createTimedCache<Configuration>>>()

const toCacheKey = ({ tenantId, issuer, clientId, clientSecret }: Connection) =>
  sha256(JSON.stringify([tenantId, issuer, clientId, clientSecret])).toString('base64')

/**
 * The provider of a connection. A changed connection has another cache key, so that no process continues with an old
 * secret.
 */
export const getConfiguration = (
  services: Pick<Services, 'config'>,
  connection: Connection,
): Promise<Configuration> => {
  const cache = caches.get(services.config) ?? createTimedCache<Configuration>(CACHE)
  caches.set(services.config, cache)
  return cache.get(toCacheKey(connection), new Date(), () => discover(services, connection))
}

export interface AttemptSecrets {
  state: string
  nonce: string
  codeVerifier: string
}

interface AuthorizationRequest extends AttemptSecrets {
  redirectUri: string
  isConfirmation: boolean
}

export const buildAuthorizationAddress = async (
  services: Pick<Services, 'config'>,
  connection: Connection,
  { state, nonce, codeVerifier, redirectUri, isConfirmation }: AuthorizationRequest,
) =>
  buildAuthorizationUrl(await getConfiguration(services, connection), {
    redirect_uri: redirectUri,
    scope: connection.scopes,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(isConfirmation && { prompt: 'login', max_age: '0' }),
  }).href

export interface ProviderTokens {
  claims: Claims & { iss: string; sub: string }
  idToken: string
  refreshToken: string | undefined
}

/** Whether the access token was issued together with the ID token. */
const isAccessTokenMatching = (idToken: string, atHash: unknown, accessToken: string) => {
  if (atHash === undefined) return true
  const { alg } = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString('utf8'))
  const bits = /(256|384|512)$/.exec(String(alg))?.[1] ?? '512'
  const digest = createHash(`sha${bits}`).update(accessToken).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url') === atHash
}

/** Claims of the ID token take precedence. An address and whether it is verified are taken from the same source. */
const mergeClaims = (claims: ProviderTokens['claims'], more: Claims): ProviderTokens['claims'] => {
  const { email, email_verified, xms_edov } = 'email' in claims ? claims : more
  return { ...more, ...claims, email, email_verified, xms_edov }
}

/**
 * Exchanges the code of an authorization response. The library checks state, `iss`, and the ID token's signature, issuer,
 * audience, times and nonce. Claims that are only at the userinfo endpoint are added.
 */
export const exchangeCode = async (
  services: Pick<Services, 'config'>,
  connection: Connection,
  { state, nonce, codeVerifier, redirectUri, isConfirmation }: AuthorizationRequest,
  query: URLSearchParams,
): Promise<ProviderTokens> => {
  const configuration = await getConfiguration(services, connection)
  try {
    const response = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      ...(isConfirmation && { maxAge: CONFIRMED_WITHIN_S }),
    })
    const claims = response.claims()
    const idToken = response.id_token
    if (!claims || !idToken) throw new InvalidProviderResponse('The provider sent no ID token.')
    refuseClockAhead(claims.iat)
    if (!isAccessTokenMatching(idToken, claims.at_hash, response.access_token))
      throw new InvalidProviderResponse('The access token does not belong to the ID token.')
    const more = configuration.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(configuration, response.access_token, claims.sub)
      : {}
    return { claims: mergeClaims(claims, more), idToken, refreshToken: response.refresh_token }
  } catch (error) {
    const failure = toFailure(error)
    // The library refetches keys at most once a minute, so the next attempt starts with an empty cache.
    if (failure instanceof InvalidProviderResponse) caches.get(services.config)?.delete(toCacheKey(connection))
    throw failure
  }
}

/** Requests new tokens from the provider. It refuses when the user may no longer sign in. */
export const renewTokens = async (
  services: Pick<Services, 'config'>,
  connection: Connection,
  { refreshToken, subject }: { refreshToken: string; subject: string },
) => {
  try {
    const response = await refreshTokenGrant(await getConfiguration(services, connection), refreshToken)
    const claims = response.claims()
    if (claims && claims.sub !== subject) throw new ProviderRefusal('These are the tokens of somebody else.')
    return { idToken: response.id_token, refreshToken: response.refresh_token }
  } catch (error) {
    throw toFailure(error)
  }
}

/** The URL that also ends the session at the provider; undefined if it does not support that. */
export const findLogoutAddress = async (
  services: Pick<Services, 'config'>,
  connection: Connection,
  { idToken, returnTo }: { idToken: string; returnTo: string },
) => {
  const configuration = await getConfiguration(services, connection)
  if (!configuration.serverMetadata().end_session_endpoint) return undefined
  return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: returnTo }).href
}
