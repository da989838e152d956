import type { TenantConfig } from '#contract/tenants.ts'
import { createUser } from '#server/identity/create-user.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Installation } from '#server/process/installation.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'

/** Adds a reseller next to those of the demo, with the same kind of admin. */
export async function addTenant({ owner, database }: Installation, id: string, config: TenantConfig) {
  if (!owner) throw new Error('The browser tests need the owner role of their database.')
  const by = { performer: 'e2e', now: new Date() }
  const asOwner = openDatabase(owner, () => {})
  await asOwner.transaction({ tenantId: id }, (db) => createTenant(db, by, { id, hosts: [], config }))
  await asOwner.close()
  await database.transaction({ tenantId: id }, (db) =>
    createUser(db, id, by, {
      email: `admin@${id}.example`,
      username: 'staff',
      customerName: 'Dana Whitfield',
      company: config.company_name ?? id,
      initialPassword: 'Admin-demo-1',
      role: 'admin',
    }),
  )
}
