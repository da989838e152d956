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
/** After it the provider's description is read again. Its keys are read again when a signature names an unknown one. */
const CACHED_MS = 10 * 60_000
const MAX_CACHED = 1_000
/** A user who confirms who they are has to be quick, but may have to read a code from a phone. */
const CONFIRMED_WITHIN_S = 5 * 60

/** The provider refused, in an answer that is its own: a code or refresh token is not valid. */
export class ProviderRefusal extends Error {}
/** The answer is not the provider's, not for us, or not about this sign-in. */
export class InvalidAnswer extends Error {}

/** Codes of the library for answers that must not be trusted. Whatever else fails is a provider that cannot be reached. */
const DISTRUSTED = new Set([
  ...['OAUTH_INVALID_RESPONSE', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
  ...['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'OAUTH_KEY_SELECTION_FAILED', 'OAUTH_PARSE_ERROR'],
  ...['OAUTH_UNSUPPORTED_OPERATION', 'OAUTH_JWT_USERINFO_EXPECTED'],
])

const toFailure = (error: unknown): Error => {
  if (error instanceof AuthorizationResponseError) return new ProviderRefusal(error.error)
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return new ProviderRefusal(error.error)
  if (error instanceof ClientError && DISTRUSTED.has(error.code ?? '')) return new InvalidAnswer(error.message)
  // The library throws one where an answer lacks what it must have.
  if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_INVALID_ARG'))
    return new InvalidAnswer(error.message)
  return error as Error
}

const authenticateWith =
  (secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    // The standard's default, which providers hold clients to unless they were set up otherwise.
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    return (isBasic ? ClientSecretBasic : ClientSecretPost)(secret)(server, client, body, headers)
  }

type Client = Pick<Connection, 'issuer' | 'clientId' | 'clientSecret'>

export const discover = ({ config }: Pick<Services, 'config'>, { issuer, clientId, clientSecret }: Client) => {
  const { outboundNetworks } = config
  return discovery(new URL(issuer), clientId, { [clockTolerance]: CLOCK_TOLERANCE_S }, authenticateWith(clientSecret), {
    // What is not https then leads into these networks only, or is refused when it is requested.
    execute: [enableNonRepudiationChecks, ...(outboundNetworks.length > 0 ? [allowInsecureRequests] : [])],
    [customFetch]: createProviderFetch(outboundNetworks),
  })
}

interface Cached {
  discovered: Promise<Configuration>
  untilMs: number
}

/** Of each process. */
const caches = new WeakMap<Config, Map<string, Cached>>()

const toCacheKey = ({ tenantId, issuer, clientId, clientSecret }: Connection) =>
  sha256(JSON.stringify([tenantId, issuer, clientId, clientSecret])).toString('base64')

/** The provider of a connection. A changed connection is another one, so no process goes on with an old secret. */
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
  // A failure is not remembered.
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

/** Whether the access token is the one that was issued together with the ID token. */
const isAccessTokenMatching = (idToken: string, atHash: unknown, accessToken: string) => {
  if (atHash === undefined) return true
  const { alg } = JSON.parse(Buffer.from(idToken.split('.')[0] ?? '', 'base64url').toString('utf8'))
  const bits = /(256|384|512)$/.exec(String(alg))?.[1] ?? '512'
  const digest = createHash(`sha${bits}`).update(accessToken).digest()
  return digest.subarray(0, digest.length / 2).toString('base64url') === atHash
}

/** What the ID token says goes first. An address and whether it is verified are taken from one place. */
const mergeClaims = (claims: ProviderTokens['claims'], more: Claims): ProviderTokens['claims'] => {
  const { email, email_verified } = 'email' in claims ? claims : more
  return { ...more, ...claims, email, email_verified }
}

/**
 * Exchanges the code of an authorization response. The library checks state, `iss`, and of the ID token signature, issuer,
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
    // The library reads new keys once a minute at most, so the next try begins with keys that are read then.
    if (failure instanceof InvalidAnswer) caches.get(services.config)?.delete(toCacheKey(connection))
    throw failure
  }
}

/** Asks the provider for new tokens. It refuses when the user may no longer sign in. */
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

/** Where the browser also ends the session at the provider; undefined if the provider does not offer it. */
export const findLogoutAddress = async (
  services: Pick<Services, 'config'>,
  connection: Connection,
  { idToken, returnTo }: { idToken: string; returnTo: string },
) => {
  const configuration = await getConfiguration(services, connection)
  if (!configuration.serverMetadata().end_session_endpoint) return undefined
  return buildEndSessionUrl(configuration, { id_token_hint: idToken, post_logout_redirect_uri: returnTo }).href
}
