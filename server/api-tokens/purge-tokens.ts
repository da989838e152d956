import type { Db } from '../platform/database/database.ts'

/** Deletes tokens that ended before the given time, and services without tokens. */
export const purgeApiTokens = async (db: Db, tenantId: string, before: Date) => {
  await db
    .deleteFrom('api_tokens')
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('revoked_at', '<', before), eb('expires_at', '<', before)]))
    .execute()
  await db
    .deleteFrom('users')
    .where('tenant_id', '=', tenantId)
    .where('is_service', '=', true)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('api_tokens')
            .select('api_tokens.id')
            .whereRef('api_tokens.tenant_id', '=', 'users.tenant_id')
            .whereRef('api_tokens.user_id', '=', 'users.id'),
        ),
      ),
    )
    .execute()
}
