import type { Db } from '../platform/database/database.ts'

export const listAdministratorEmails = async (db: Db, tenantId: string) => {
  const administrators = await db
    .selectFrom('users')
    .select('email')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'admin')
    .where('is_service', '=', false)
    .orderBy('id')
    .execute()
  return administrators.map(({ email }) => email)
}
