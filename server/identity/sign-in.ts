import { unauthorized } from '#contract/errors.ts'
import type { identity, SignIn } from '#contract/identity.ts'
import type { InputOf } from '#contract/route.ts'
import type { Visit } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'
import { findUserByEmail, type SigningIn } from './find-user.ts'
import { countTry, forgetTries, mailedCodeLimit, signInLimits, uncountTry } from './guessing.ts'
import { mailCode } from './mail-code.ts'
import { findRightPassword, waitAsIfCompared } from './passwords.ts'
import { startSession } from './sessions.ts'
import { tenantOf } from './tenant-of.ts'

/** The same answer for an unknown address, a wrong password and too many tries. */
const refused = () => unauthorized('The e-mail address or the password is not right.')

/** Somebody who signed in from here before is let through while others guess at their account. */
const isFamiliar = async (db: Db, visit: Visit, tenantId: string, userId: number) =>
  (await db
    .selectFrom('sessions')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('address', '=', visit.address)
    .limit(1)
    .executeTakeFirst()) !== undefined

const beginSignIn = (visit: Visit, tenantId: string, email: string) =>
  visit.services.database.transaction({ tenantId }, async (db) => {
    const now = visit.services.now()
    const { pair, account, address } = signInLimits(email, visit.address)
    const few = await countTry(db, tenantId, [pair], now)
    const fewOfAccount = await countTry(db, tenantId, [account], now)
    const fewOfAddress = await countTry(db, tenantId, [address], now)
    const user = await findUserByEmail(db, tenantId, email, now)
    const isOpen = fewOfAccount || (user !== undefined && (await isFamiliar(db, visit, tenantId, user.id)))
    return { allowed: few && fewOfAddress && isOpen, user }
  })

/** A right sign-in was no guess: it counts against nobody, and clears the count of this person at this address. */
export const clearTries = async (db: Db, visit: Visit, tenantId: string, { id, email }: SigningIn) => {
  const { pair, account, address } = signInLimits(email, visit.address)
  // In the order in which a try is counted, or two of one person would wait for each other.
  await forgetTries(db, tenantId, pair)
  await uncountTry(db, tenantId, account)
  await uncountTry(db, tenantId, address)
  await forgetTries(db, tenantId, mailedCodeLimit(id))
}

/** Whether the person is as they were when the password was compared; they stay so until the transaction ends. */
const isUnchanged = async (db: Db, tenantId: string, user: SigningIn) =>
  (await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', user.id)
    .where('password_hash', '=', user.password_hash)
    .forShare()
    .executeTakeFirst()) !== undefined

const spendMailedPassword = async (db: Db, tenantId: string, user: SigningIn, now: Date) => {
  const spent = await db
    .updateTable('mailed_passwords')
    .set({ used_at: now })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', user.id)
    .where('password_hash', '=', user.mailed_password_hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (spent.numUpdatedRows === 0n) throw refused()
  await db
    .updateTable('users')
    .set({ must_change_password: true })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', user.id)
    .execute()
}

export const signIn = async (visit: Visit, input: InputOf<typeof identity.login>): Promise<SignIn> => {
  const tenantId = tenantOf(visit)
  const { database, now } = visit.services
  const { allowed, user } = await beginSignIn(visit, tenantId, input.email)
  if (!allowed) {
    await waitAsIfCompared()
    throw refused()
  }
  const stored = [user?.is_lapsed ? undefined : user?.password_hash, user?.mailed_password_hash ?? undefined]
  const place = await findRightPassword(stored, input.password)
  if (place === -1 || !user) throw refused()
  const isMailed = place === 1
  return database.transaction({ tenantId }, async (db) => {
    if (!(await isUnchanged(db, tenantId, user))) throw refused()
    if (isMailed) await spendMailedPassword(db, tenantId, user, now())
    if (user.check_otp) {
      if (!(await countTry(db, tenantId, [mailedCodeLimit(user.id)], now()))) throw refused()
      await mailCode(db, visit.services, tenantId, user)
      return { access: null, refresh: null, requires2FA: true, newUser: false }
    }
    await clearTries(db, visit, tenantId, user)
    const tokens = await startSession(db, visit, tenantId, user.id)
    return { ...tokens, requires2FA: false, newUser: user.must_change_password || isMailed }
  })
}
