import { isIP } from 'node:net'
import { conflict } from '#contract/errors.ts'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'

export const PASSKEY_CHALLENGE_S = 5 * 60

/** The site that a passkey belongs to, as browsers see it. */
export interface Site {
  host: string
  origins: string[]
}

/**
 * By the host of the request, which belongs to the tenant. Its protocol does not matter: a proxy may terminate TLS, and browsers
 * use passkeys over https only, except on localhost.
 */
export const findSite = (requestOrigin: string): Site => {
  // The Host header may contain an invalid port.
  if (!URL.canParse(requestOrigin)) return { host: '', origins: [] }
  const { host, hostname } = new URL(requestOrigin)
  const origins = [`https://${host}`, ...(hostname === 'localhost' ? [`http://${host}`] : [])]
  return { host: hostname, origins }
}

/** Browsers support passkeys for host names only, not for IP addresses. */
export const requireNamedSite = (requestOrigin: string) => {
  const site = findSite(requestOrigin)
  if (site.host === '' || isIP(site.host.replace(/^\[|\]$/g, '')) !== 0)
    throw conflict('Passkeys need a host name. Please open the portal by its name.')
  return site
}

/**
 * The holder of a challenge: a browser or a pending sign-in by its cookie, or a session, for a new passkey or for a confirmation.
 */
export type Holder = `browser:${string}` | `sign-in:${string}` | `session:${string}` | `confirmation:${string}`

export const storePasskeyChallenge = (db: Db, tenantId: string, holder: Holder, challenge: string, now: Date) => {
  const row = {
    challenge: Buffer.from(challenge, 'base64url'),
    expires_at: new Date(now.getTime() + PASSKEY_CHALLENGE_S * 1000),
  }
  return db
    .insertInto('passkey_challenges')
    .values({ tenant_id: tenantId, holder_hash: sha256(holder), ...row })
    .onConflict((exists) => exists.columns(['tenant_id', 'holder_hash']).doUpdateSet(row))
    .execute()
}

/** Consumes the challenge of a holder. The transaction must be committed whether or not the proof is valid. */
export const takePasskeyChallenge = async (db: Db, tenantId: string, holder: Holder, now: Date) => {
  const taken = await db
    .deleteFrom('passkey_challenges')
    .where('tenant_id', '=', tenantId)
    .where('holder_hash', '=', sha256(holder))
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst()
  return taken && taken.expires_at > now ? taken.challenge.toString('base64url') : undefined
}
