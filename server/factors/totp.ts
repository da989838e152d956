import { Secret, TOTP } from 'otpauth'
import { conflict } from '#contract/errors.ts'
import type { Db } from '../platform/database/database.ts'
import type { SealedColumn } from '../platform/sealed-columns.ts'
import type { Secrets } from '../platform/secrets.ts'

// The defaults of authenticator apps; several silently ignore other values.
const PERIOD_S = 30
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: PERIOD_S } as const
const SECRET_BYTES = 20
/** Clock skew in steps, in either direction. */
const WINDOW = 1

export const sealedTotpSecret: SealedColumn = {
  table: 'totp_secrets',
  column: 'secret',
  idColumn: 'user_id',
  buildPurpose: (tenantId, userId) => `totp:${tenantId}:${userId}`,
}

const buildPurpose = (tenantId: string, userId: number) => sealedTotpSecret.buildPurpose(tenantId, String(userId))

/** The time step of a code; undefined if it is not valid at this time. */
const findStep = (secret: string, code: string, now: Date) => {
  const totp = new TOTP({ ...PARAMETERS, secret: Secret.fromBase32(secret) })
  const timestamp = now.getTime()
  const delta = totp.validate({ token: code, timestamp, window: WINDOW })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

interface Owner {
  tenantId: string
  userId: number
}

/** Stores a new secret, which is inactive until `confirmTotp`. Returns it for the app, as text and as a URL. */
export const startTotp = async (
  db: Db,
  secrets: Secrets,
  { tenantId, userId }: Owner,
  { issuer, label, now }: { issuer: string; label: string; now: Date },
) => {
  const secret = new Secret({ size: SECRET_BYTES })
  const row = { secret: secrets.seal(secret.base32, buildPurpose(tenantId, userId)), created_at: now }
  const stored = await db
    .insertInto('totp_secrets')
    .values({ tenant_id: tenantId, user_id: userId, ...row })
    .onConflict((exists) =>
      exists.columns(['tenant_id', 'user_id']).doUpdateSet(row).where('totp_secrets.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst()
  if (!stored) throw conflict('You have an authenticator app already. Please remove it first.')
  return { secret: secret.base32, uri: new TOTP({ ...PARAMETERS, issuer, label, secret }).toString() }
}

/**
 * Accepts a code once. Of two concurrent requests with the same code, the update of one waits for the other and then
 * finds the step used. `isConfirmed` says whether the secret must be active already.
 */
const acceptCode = async (
  db: Db,
  secrets: Secrets,
  { tenantId, userId }: Owner,
  { code, now, isConfirmed }: { code: string; now: Date; isConfirmed: boolean },
) => {
  const row = await db
    .selectFrom('totp_secrets')
    .select('secret')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('confirmed_at', isConfirmed ? 'is not' : 'is', null)
    .executeTakeFirst()
  const step = row && findStep(secrets.open(row.secret, buildPurpose(tenantId, userId)), code, now)
  if (!row || step === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('totp_secrets')
    .set({ last_step: step, ...(isConfirmed ? { last_used_at: now } : { confirmed_at: now }) })
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('secret', '=', row.secret)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Consumes a code of the active app. Returns whether it was valid and unused. */
export const spendTotpCode = (db: Db, secrets: Secrets, owner: Owner, code: string, now: Date) =>
  acceptCode(db, secrets, owner, { code, now, isConfirmed: true })

/** Activates the new secret if the code shows that the app has it. Returns whether it did. */
export const confirmTotp = (db: Db, secrets: Secrets, owner: Owner, code: string, now: Date) =>
  acceptCode(db, secrets, owner, { code, now, isConfirmed: false })
