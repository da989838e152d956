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

// EdDSA, ES256 and RS256: those that authenticators have. The default asks Node.js for others, which it warns about.
const ALGORITHMS = [-8, -7, -257]

const TIMEOUT_MS = PASSKEY_CHALLENGE_S * 1000

/** How an authenticator names the owner of a passkey: nobody reads the user out of it. */
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

/** By their ids, for the browser; those of other hosts cannot be used here. */
const describeCredentials = (passkeys: readonly Listed[], { host }: Site) =>
  passkeys
    .filter((passkey) => passkey.host === host)
    .map(({ credential_id, transports }) => ({ id: credential_id.toString('base64url'), transports }))

/** Every passkey can also be the only factor: the authenticator remembers the user and verifies who uses it. */
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

/** Without passkeys to choose from, the authenticator offers those that it remembers. */
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

/** What to store of a new passkey. Throws if it was not made here, now, for this challenge, by a verified user. */
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

/** The counter of a proof. Throws unless the passkey has signed the challenge here, now, for a verified user. */
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
    // Whether the counter has grown is decided by `recordUse`, which compares it with the stored one of that moment.
    credential: { id, publicKey: new Uint8Array(passkey.public_key), counter: 0 },
    response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
  })
  if (!verified) throw new Error('The signature is not valid.')
  return authenticationInfo.newCounter
}

/**
 * Records that a passkey was used. Returns false if its counter has not grown: then two authenticators have the key, and one
 * of them is a copy. Authenticators that do not count always send 0.
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
