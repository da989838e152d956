import type { Database } from '../platform/database/database.ts'

const DAY_MS = 86_400_000

/** How long what nobody needs any more is kept, for whoever looks into a complaint. */
const MESSAGES_KEPT_DAYS = 90
const ENDED_SESSIONS_KEPT_DAYS = 30

/** Lets go of counts, codes, passwords, sessions and messages past their time, so that these tables do not grow for ever. */
export const forgetOld = async (database: Database, now: Date) => {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const tenants = await database.outsideTenants.selectFrom('tenants').select('id').execute()
  for (const { id } of tenants)
    await database.transaction({ tenantId: id }, async (db) => {
      await db
        .deleteFrom('sign_in_attempts')
        .where('tenant_id', '=', id)
        .where('window_start', '<', before(2))
        .execute()
      await db.deleteFrom('sign_in_codes').where('tenant_id', '=', id).where('expires_at', '<', before(1)).execute()
      await db.deleteFrom('mailed_passwords').where('tenant_id', '=', id).where('expires_at', '<', before(2)).execute()
      const gone = before(ENDED_SESSIONS_KEPT_DAYS)
      await db
        .deleteFrom('sessions')
        .where('tenant_id', '=', id)
        .where((eb) => eb.or([eb('ended_at', '<', gone), eb('expires_at', '<', gone)]))
        .execute()
      await db
        .deleteFrom('messages')
        .where('tenant_id', '=', id)
        .where('created_at', '<', before(MESSAGES_KEPT_DAYS))
        .execute()
    })
}
