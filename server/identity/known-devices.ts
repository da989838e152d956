import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { AnonymousContext } from '../platform/context.ts'
import type { Db } from '../platform/database/database.ts'

const COOKIE = 'dishboard_device'
const TOKEN = /^[\w-]{43}$/
// The longest lifetime that browsers accept.
const LIFETIME_S = 400 * 86_400
const MAX_DEVICES = 50

const readToken = ({ cookies }: AnonymousContext) => {
  const given = cookies.read(COOKIE)
  return given !== undefined && TOKEN.test(given) ? given : randomBytes(32).toString('base64url')
}

/**
 * Remembers the browser that a user signs in with. Returns whether it is new for a user who has signed in before. The
 * cookie is shared by all users of a browser, so its hash is bound to the user.
 */
export const rememberDevice = async (db: Db, context: AnonymousContext, tenantId: string, userId: number) => {
  const { secrets, now } = context.services
  const token = readToken(context)
  context.cookies.set(COOKIE, token, LIFETIME_S)
  const purpose = `device:${tenantId}:${userId}`
  const hash = secrets.digest(token, purpose)
  // A hash cannot be recomputed without the cookie, so this is when a device is migrated to the current key.
  for (const previous of secrets.previousDigests(token, purpose))
    await sql`
      update known_devices as device set device_hash = ${hash}
      where tenant_id = ${tenantId} and user_id = ${userId} and device_hash = ${previous}
        and not exists (select from known_devices as same
          where same.tenant_id = ${tenantId} and same.user_id = ${userId} and same.device_hash = ${hash})`.execute(db)
  const { rows } = await sql<{ is_known: boolean; devices: number }>`
    select count(*)::int as devices, coalesce(bool_or(device_hash = ${hash}), false) as is_known
    from known_devices where tenant_id = ${tenantId} and user_id = ${userId}`.execute(db)
  const { devices = 0, is_known: isKnown = false } = rows[0] ?? {}
  await db
    .insertInto('known_devices')
    .values({ tenant_id: tenantId, user_id: userId, device_hash: hash, first_seen_at: now(), last_seen_at: now() })
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'user_id', 'device_hash']).doUpdateSet({ last_seen_at: now() }),
    )
    .execute()
  if (devices >= MAX_DEVICES)
    await sql`
      delete from known_devices where tenant_id = ${tenantId} and user_id = ${userId} and device_hash in (
        select device_hash from known_devices where tenant_id = ${tenantId} and user_id = ${userId}
        order by last_seen_at desc offset ${MAX_DEVICES})`.execute(db)
  return devices > 0 && !isKnown
}
