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
import type { Connection } from './connection.ts'
import { createProviderFetch } from './provider-fetch.ts'
import type { Claims } from './rules.ts'

export const CLOCK_TOLERANCE_S = 60
/** How long the provider's metadata is cached. Its keys are refetched when a signature names an unknown one. */
const CACHED_MS = 10 * 60_000
const MAX_CACHED = 1_000
/** Reauthentication must be recent, but users may have to read a code from a phone. */
const CONFIRMED_WITHIN_S = 5 * 60

/** The provider itself refused: a code or refresh token is not valid. */
export class ProviderRefusal extends Error {}
/** The response is not from the provider, not for us, or not for this sign-in. */
export class InvalidAnswer extends Error {}

/** Error codes of the library for untrusted responses. Every other failure counts as an unreachable provider. */
const DISTRUSTED = new Set([
  ...['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
  ...['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'OAUTH_KEY_SELECTION_FAILED', 'OAUTH_PARSE_ERROR'],
  ...['OAUTH_UNSUPPORTED_OPERATION', 'OAUTH_JWT_USERINFO_EXPECTED'],
])

const toFailure = (error: unknown): Error => {
  if (error instanceof AuthorizationResponseError) return new ProviderRefusal(error.error)
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return new ProviderRefusal(error.error)
  if (error instanceof ClientError && DISTRUSTED.has(error.code ?? '')) return new InvalidAnswer(error.message)
  // The library throws a TypeError if a response lacks a required field.
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_INVALID_ARG'))
    return new InvalidAnswer(error.message)
  return error as Error
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

interface Cached {
  discovered: Promise<Configuration>
  untilMs: number
}

/** Per process. */
const caches = new WeakMap<Config, Map<string, Cached>>()

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
  const cache = caches.get(services.config) ?? new Map<string, Cached>()
  caches.set(services.config, cache)
  const key = toCacheKey(connection)
  const nowMs = Date.now()
  const found = cache.get(key)
  if (found && found.untilMs > nowMs) return found.discovered
  cache.delete(key)
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value as string)
  const discovered = discover(services, connection)
  cache.set(key, { discovered, untilMs: nowMs + CACHED_MS })
  // Failures are not cached.
  discovered.catch(() => cache.delete(key))
  return discovered
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
  const { email, email_verified } = 'email' in claims ? claims : more
  return { ...more, ...claims, email, email_verified }
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
    if (!claims || !idToken) throw new InvalidAnswer('The provider sent no ID token.')
    if (!isAccessTokenMatching(idToken, claims.at_hash, response.access_token))
      throw new InvalidAnswer('The access token does not belong to the ID token.')
    const more = configuration.serverMetadata().userinfo_endpoint
      ? await fetchUserInfo(configuration, response.access_token, claims.sub)
      : {}
    return { claims: mergeClaims(claims, more), idToken, refreshToken: response.refresh_token }
  } catch (error) {
    const failure = toFailure(error)
    // The library refetches keys at most once a minute, so the next attempt starts with an empty cache.
    if (failure instanceof InvalidAnswer) caches.get(services.config)?.delete(toCacheKey(connection))
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
