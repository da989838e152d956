import { randomBytes } from 'node:crypto'
import { CALLBACK_PATH } from '#contract/sso-paths.ts'
import type { Context } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import type { Cookies } from '../platform/http/cookies.ts'
import { type Secrets, sha256 } from '../platform/secrets.ts'
import type { Connection } from './connection.ts'
import type { AttemptSecrets } from './provider.ts'

const COOKIE = 'sso-browser'
const LIFETIME_S = 10 * 60
const SECRET = /^[\w-]{43}$/

const createSecret = () => randomBytes(32).toString('base64url')

/** Nonce and verifier are derived from both secrets: one of them, or the database alone, reveals neither. */
const deriveAttempt = ({ digest }: Secrets, tenantId: string, browser: string, state: string): AttemptSecrets => {
  const derive = (use: string) => digest(`${browser}:${state}`, `sso-${use}:${tenantId}`).toString('base64url')
  return { state, nonce: derive('nonce'), codeVerifier: derive('verifier') }
}

interface NewAttempt {
  connection: Connection
  origin: string
  isConfirmation: boolean
  now: Date
}

/** Stores that this browser was redirected to the provider. A browser may do so in several tabs. */
export const createAttempt = async (
  db: Db,
  secrets: Secrets,
  cookies: Cookies,
  { connection, origin, isConfirmation, now }: NewAttempt,
) => {
  const { tenantId, issuer, clientId } = connection
  const given = cookies.read(COOKIE)
  const browser = given !== undefined && SECRET.test(given) ? given : createSecret()
  const state = createSecret()
  const redirectUri = `${origin}${CALLBACK_PATH}`
  await db
    .insertInto('sso_attempts')
    .values({
      tenant_id: tenantId,
      state_hash: sha256(state),
      browser_hash: sha256(browser),
      issuer,
      client_id: clientId,
      redirect_uri: redirectUri,
      is_confirmation: isConfirmation,
      expires_at: new Date(now.getTime() + LIFETIME_S * 1000),
    })
    .execute()
  cookies.set(COOKIE, browser, LIFETIME_S)
  return { ...deriveAttempt(secrets, tenantId, browser, state), redirectUri, isConfirmation }
}

/**
 * Consumes the attempt that the provider's response belongs to, so that a response is valid once. It is found only from
 * the browser that started it, which prevents login CSRF.
 */
export const takeAttempt = async (
  db: Db,
  secrets: Secrets,
  { cookies, tenantId }: Pick<Context, 'cookies' | 'tenantId'>,
  { state, isConfirmation, now }: { state: string; isConfirmation: boolean; now: Date },
) => {
  const browser = cookies.read(COOKIE)
  if (browser === undefined || !SECRET.test(browser) || !SECRET.test(state)) return undefined
  const row = await db
    .deleteFrom('sso_attempts')
    .where('tenant_id', '=', tenantId)
    .where('state_hash', '=', sha256(state))
    .where('browser_hash', '=', sha256(browser))
    .where('is_confirmation', '=', isConfirmation)
    .where('expires_at', '>', now)
    .returning(['issuer', 'client_id as clientId', 'redirect_uri as redirectUri'])
    .executeTakeFirst()
  return row && { ...row, ...deriveAttempt(secrets, tenantId, browser, state), isConfirmation }
}

/** Deletes unfinished attempts, and logout tokens that are too old to be replayed. */
export const purgeAttempts = async (db: Db, tenantId: string, now: Date) => {
  for (const table of ['sso_attempts', 'sso_logout_tokens'] as const)
    await db.deleteFrom(table).where('tenant_id', '=', tenantId).where('expires_at', '<', now).execute()
}
