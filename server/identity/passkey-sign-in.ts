import { randomBytes } from 'node:crypto'
import { unauthorized } from '#contract/errors.ts'
import type { identity, SignIn } from '#contract/identity.ts'
import type { PasskeyProof } from '#contract/passkeys.ts'
import type { RouteInput } from '#contract/route.ts'
import {
  findSite,
  type Holder,
  PASSKEY_CHALLENGE_S,
  requireNamedSite,
  storePasskeyChallenge,
  takePasskeyChallenge,
} from '../factors/passkey-challenges.ts'
import {
  buildProofOptions,
  findPasskey,
  listPasskeys,
  recordUse,
  type StoredPasskey,
  verifyProof,
} from '../factors/passkeys.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { recordSecurityEvent } from '../security-events/record.ts'
import { findUserByEmail } from './find-user.ts'
import { consume, refund } from './rate-limits.ts'
import { requireTenantId } from './require-tenant.ts'
import { startSession } from './sessions.ts'
import { CHALLENGE_COOKIE, consumeTry, findWaiting, lockSignInUser, spendChallenge } from './sign-in-challenges.ts'
import { getChallengeLimit, listCodeLimits, listPasskeyLimits } from './sign-in-limits.ts'

const BROWSER_COOKIE = 'passkey-challenge'

type Use = RouteInput<typeof identity.startPasskey>['use']

/** The same error for every failure. */
const refused = () => unauthorized('The passkey was not accepted.')

/** The cookie that a proof belongs to: that of the pending sign-in, or its own. */
const readHolder = ({ cookies }: AnonymousContext, use: Use): Holder | undefined => {
  const value = cookies.read(use === 'second factor' ? CHALLENGE_COOKIE : BROWSER_COOKIE)
  if (!value) return undefined
  return use === 'second factor' ? `sign-in:${value}` : `browser:${value}`
}

const startSecondFactor = async (context: AnonymousContext, tenantId: string) => {
  const { database, now } = context.services
  const challenge = context.cookies.read(CHALLENGE_COOKIE)
  const site = requireNamedSite(context.origin)
  return database.transaction({ tenantId }, async (db) => {
    const waiting = challenge && (await findWaiting(db, tenantId, challenge, now()))
    if (!waiting) throw unauthorized('Please sign in again.')
    const options = await buildProofOptions(site, await listPasskeys(db, tenantId, waiting.user_id))
    await storePasskeyChallenge(db, tenantId, `sign-in:${challenge}`, options.challenge, now())
    return options
  })
}

const startOnlyFactor = async (context: AnonymousContext, tenantId: string) => {
  const { database, now } = context.services
  const browser = randomBytes(32).toString('base64url')
  const options = await buildProofOptions(requireNamedSite(context.origin))
  await database.transaction({ tenantId }, async (db) => {
    await consume(db, tenantId, listPasskeyLimits(context.address), now())
    await storePasskeyChallenge(db, tenantId, `browser:${browser}`, options.challenge, now())
  })
  context.cookies.set(BROWSER_COOKIE, browser, PASSKEY_CHALLENGE_S)
  return options
}

/** The WebAuthn options for a passkey to sign: as the second factor of a pending sign-in, or instead of a password. */
export const startPasskey = async (context: AnonymousContext, { use }: { use: Use }) => {
  const tenantId = requireTenantId(context)
  const start = use === 'second factor' ? startSecondFactor : startOnlyFactor
  return { options: { ...(await start(context, tenantId)) } }
}

/** Consumes the challenge, whether or not the proof is valid, and finds the passkey. The attempt counts like that of a code. */
const readAttempt = (context: AnonymousContext, tenantId: string, use: Use, { id }: PasskeyProof) => {
  const { database, now } = context.services
  return database.transaction({ tenantId }, async (db) => {
    const consumed = await consume(db, tenantId, listCodeLimits(context.address), now())
    const cookie = context.cookies.read(CHALLENGE_COOKIE)
    const waiting = use === 'second factor' && cookie ? await consumeTry(db, tenantId, cookie, now()) : undefined
    const holder = readHolder(context, use)
    const challenge = holder && (await takePasskeyChallenge(db, tenantId, holder, now()))
    return { consumed, waiting, challenge, passkey: await findPasskey(db, tenantId, id) }
  })
}

const verifyAttempt = async (
  context: AnonymousContext,
  tenantId: string,
  { challenge, passkey }: { challenge: string | undefined; passkey: StoredPasskey | undefined },
  proof: PasskeyProof,
) => {
  if (!challenge || !passkey) return undefined
  try {
    return await verifyProof(findSite(context.origin), tenantId, challenge, passkey, proof)
  } catch (error) {
    context.log.info({ err: error }, 'A passkey was refused.')
    return undefined
  }
}

const recordRefusal = (
  db: Db,
  context: AnonymousContext,
  tenantId: string,
  kind: 'passkey_failed' | 'passkey_copied',
  passkey: StoredPasskey | undefined,
) =>
  recordSecurityEvent(db, tenantId, context.services.now(), {
    kind,
    account: passkey?.email ?? '',
    userId: passkey?.user_id,
    origin: context,
    details: passkey && { passkey: passkey.name },
  })

export const signInWithPasskey = async (
  context: AnonymousContext,
  { use, proof }: RouteInput<typeof identity.signInWithPasskey>,
): Promise<SignIn> => {
  const tenantId = requireTenantId(context)
  const { database, now } = context.services
  const attempt = await readAttempt(context, tenantId, use, proof)
  const { consumed, waiting, passkey } = attempt
  const isOwn = use === 'second factor' ? waiting?.user_id === passkey?.user_id : proof.userHandle !== undefined
  const counter = isOwn ? await verifyAttempt(context, tenantId, attempt, proof) : undefined
  if (counter === undefined || !passkey) {
    await database.transaction({ tenantId }, (db) => recordRefusal(db, context, tenantId, 'passkey_failed', passkey))
    throw refused()
  }
  const signedIn = await database.transaction({ tenantId }, async (db) => {
    await lockSignInUser(db, tenantId, passkey.user_id)
    const user = await findUserByEmail(db, tenantId, passkey.email, now())
    if (user?.id !== passkey.user_id || user.must_use_sso) throw refused()
    if (!(await recordUse(db, tenantId, passkey.id, counter, now()))) {
      await recordRefusal(db, context, tenantId, 'passkey_copied', passkey)
      return undefined
    }
    await refund(db, tenantId, consumed, [getChallengeLimit(user.id)])
    if (waiting && !(await spendChallenge(db, tenantId, waiting))) throw refused()
    const tokens = await startSession(db, context, tenantId, user, { factor: 'passkey', passkey: passkey.name })
    return { ...tokens, requires2FA: false, newUser: user.must_change_password }
  })
  if (!signedIn) throw refused()
  return signedIn
}
