import { createUser } from '#server/identity/create-user.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { connectVendor } from '#server/vendor/credentials.ts'

export const tenantIds = ['alpha', 'beta'] as const
export type TenantId = (typeof tenantIds)[number]

export const PASSWORD = 'Proof-pass-1'
export const getAdmin = (tenantId: string) => `admin@${tenantId}.example`

interface Options {
  owner: Database
  database: Database
  secrets: Secrets
  vendor: { baseUrl: string; tokenUrl: string }
  accounts: { clientId: string; clientSecret: string }[]
}

/** Two resellers, each with an administrator and a vendor account. */
export const addTenants = async ({ owner, database, secrets, vendor, accounts }: Options) => {
  const by = { performer: 'proof', now: new Date() }
  for (const [index, tenantId] of tenantIds.entries()) {
    const config = { company_name: `Company ${tenantId}`, support_email: `help@${tenantId}.example` }
    await owner.transaction({ tenantId }, (db) => createTenant(db, by, { id: tenantId, hosts: [], config }))
    const { clientId, clientSecret } = accounts[index] as (typeof accounts)[number]
    await database.transaction({ tenantId }, async (db) => {
      await createUser(db, tenantId, by, {
        email: getAdmin(tenantId),
        username: 'staff',
        customerName: 'Ada Admin',
        company: 'Company',
        initialPassword: PASSWORD,
        role: 'admin',
      })
      await connectVendor(db, secrets, { tenantId, clientId, clientSecret, ...vendor })
    })
  }
}
