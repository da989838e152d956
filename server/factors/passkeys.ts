import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { NewPasskey, PasskeyProof } from '#contract/passkeys.ts'
import type { Db } from '../platform/database/database.ts'
import { sha256 } from '../platform/secrets.ts'
import { PASSKEY_CHALLENGE_S, type Site } from './passkey-challenges.ts'

export const MAX_PASSKEYS = 20

// EdDSA, ES256 and RS256: those that authenticators support. The default makes Node.js warn about others.
const ALGORITHMS = [-8, -7, -257]

const TIMEOUT_MS = PASSKEY_CHALLENGE_S * 1000

/** Identifies the owner of a passkey to an authenticator, without revealing the user. */
const buildUserHandle = (tenantId: string, userId: number) => sha256(`passkey:${tenantId}:${userId}`)

interface Owner {
  tenantId: string
  userId: number
}

export const listPasskeys = (db: Db, tenantId: string, userId: number) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'host', 'credential_id', 'transports', 'created_at', 'last_used_at'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()

type Listed = Awaited<ReturnType<typeof listPasskeys>>[number]

/** The ids for the browser; those of other hosts cannot be used here. */
const describeCredentials = (passkeys: readonly Listed[], { host }: Site) =>
  passkeys
    .filter((passkey) => passkey.host === host)
    .map(({ credential_id, transports }) => ({ id: credential_id.toString('base64url'), transports }))

/** Every passkey can also be the only factor: the authenticator stores the user and verifies them. */
export const buildNewPasskeyOptions = (
  site: Site,
  { tenantId, userId }: Owner,
  shown: { company: string; email: string; customerName: string },
  existing: readonly Listed[],
) =>
  generateRegistrationOptions({
    rpName: shown.company,
    rpID: site.host,
    userID: new Uint8Array(buildUserHandle(tenantId, userId)),
    userName: shown.email,
    userDisplayName: shown.customerName,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: describeCredentials(existing, site),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })

/** Without a list of passkeys, the authenticator offers those that it stores. */
export const buildProofOptions = (site: Site, passkeys: readonly Listed[] = []) =>
  generateAuthenticationOptions({
    rpID: site.host,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: describeCredentials(passkeys, site),
  })

const expectAt = ({ host, origins }: Site, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: origins,
  expectedRPID: host,
  requireUserVerification: true,
})

/** The row for a new passkey. Throws unless it was created for this site and challenge, by a verified user. */
export const verifyNewPasskey = async (site: Site, challenge: string, { id, ...response }: NewPasskey) => {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    ...expectAt(site, challenge),
    supportedAlgorithmIDs: ALGORITHMS,
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
  })
  if (!verified) throw new Error('The attestation is not valid.')
  const { credential } = registrationInfo
  return {
    host: site.host,
    credential_id: Buffer.from(credential.id, 'base64url'),
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...new Set(response.transports)],
  }
}

export const findPasskey = (db: Db, tenantId: string, credentialId: string) =>
  db
    .selectFrom('passkeys')
    .innerJoin('users', (join) =>
      join.onRef('users.tenant_id', '=', 'passkeys.tenant_id').onRef('users.id', '=', 'passkeys.user_id'),
    )
    .select(['passkeys.id', 'passkeys.user_id', 'passkeys.name', 'passkeys.host', 'passkeys.public_key', 'users.email'])
    .where('passkeys.tenant_id', '=', tenantId)
    .where('passkeys.credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst()

export type StoredPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>

/** The counter of a proof. Throws unless the passkey signed the challenge for this site, for a verified user. */
export const verifyProof = async (
  site: Site,
  tenantId: string,
  challenge: string,
  passkey: StoredPasskey,
  { id, userHandle, ...response }: PasskeyProof,
) => {
  const handle = buildUserHandle(tenantId, passkey.user_id).toString('base64url')
  if (userHandle !== undefined && userHandle !== handle) throw new Error('The passkey belongs to another user.')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...expectAt(site, challenge),
    // `recordUse` decides whether the counter has increased, against the value stored at that time.
    credential: { id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
  })
  if (!verified) throw new Error('The signature is not valid.')
  return authenticationInfo.newCounter
}

/**
 * Records the use of a passkey. Returns false if its counter has not increased: then two authenticators have the key, and
 * one of them is a clone. Authenticators without a counter always send 0.
 */
export const recordUse = async (db: Db, tenantId: string, passkeyId: string, counter: number, now: Date) => {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', passkeyId)
    .where((eb) => (counter === 0 ? eb('counter', '=', 0) : eb('counter', '<', counter)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
