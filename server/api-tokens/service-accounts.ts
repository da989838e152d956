import { conflict } from '#contract/errors.ts'
import type { Role } from '#contract/identity.ts'
import type { Db } from '../platform/database/database.ts'

interface Service {
  name: string
  role: Role
  group: string
}

/** Its name in the logs. It has no @, so it can neither sign in nor receive mail. */
const toAccountName = (name: string) => `service:${name.replaceAll('@', ' at ')}`

export const findService = (db: Db, tenantId: string, name: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'role', 'group_name'])
    .where('tenant_id', '=', tenantId)
    .where('is_service', '=', true)
    .where((eb) => eb(eb.fn<string>('lower', ['email']), '=', toAccountName(name).toLowerCase()))
    .executeTakeFirst()

const insertService = async (db: Db, tenantId: string, now: Date, { name, role, group }: Service) => {
  const inserted = await db
    .insertInto('users')
    .values({
      tenant_id: tenantId,
      email: toAccountName(name),
      is_service: true,
      role,
      group_name: group,
      // Not a hash, so no password matches it.
      password_hash: '-',
      customer_name: name,
      company: '',
      created_at: now,
    })
    .onConflict((clash) => clash.doNothing())
    .returning(['id', 'email'])
    .executeTakeFirst()
  if (!inserted) throw conflict('A service of this name was created at the same moment. Please try again.')
  return inserted
}

const isInUse = async (db: Db, tenantId: string, userId: number, now: Date) => {
  const token = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return token !== undefined
}

/**
 * The account for a token. A service whose token is rotated keeps its permissions. One whose tokens have all ended starts
 * over, without the permissions granted earlier.
 */
export const prepareService = async (db: Db, tenantId: string, now: Date, service: Service) => {
  const found = await findService(db, tenantId, service.name)
  if (!found) return insertService(db, tenantId, now, service)
  const { role, group } = service
  if (!(await isInUse(db, tenantId, found.id, now))) {
    const key = { tenant_id: tenantId, user_id: found.id }
    await db
      .deleteFrom('feature_grants')
      .where((eb) => eb.and(key))
      .execute()
    await db
      .updateTable('users')
      .set({ role, group_name: group, created_at: now })
      .where('tenant_id', '=', tenantId)
      .where('id', '=', found.id)
      .execute()
  } else if (found.role !== role || found.group_name !== group)
    throw conflict('There is a service of this name with another role or group. Please choose another name.')
  return found
}
