import { snowMeltModes } from '#contract/snow-melt.ts'
import { setSnowMeltConfig } from '#server/commands/snow-melt-configs.ts'
import { createUser } from '#server/identity/create-user.ts'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import type { Installation } from '#server/process/installation.ts'
import { createTenant } from '#server/tenants/create-tenant.ts'
import { type DemoTenant, demoTenants, demoUsers, TENANT_AGE_MS } from './tenants.ts'

/** Tenants and users must be older than their history. */
const by = () => ({ performer: 'demo', now: new Date(Date.now() - TENANT_AGE_MS) })

const hasTenant = async (installation: Installation, id: string) =>
  (await installation.database.outsideTenants.selectFrom('tenants').select('id').where('id', '=', id).execute())
    .length > 0

const addUsers = async (installation: Installation, { id, config }: DemoTenant) => {
  for (const { name, fullName, company, password, role, group, otp, isNew } of demoUsers)
    await installation.database.transaction({ tenantId: id }, (db) =>
      createUser(db, id, by(), {
        email: `${name}@${id}.example`,
        username: group,
        customerName: fullName,
        company: company || (config.company_name ?? id),
        initialPassword: password,
        role,
        checkOtp: otp,
        mustChangePassword: isNew,
      }),
    )
}

/** This reseller has no snow-melt configuration, so the portal refuses to change the mode. */
const WITHOUT_SNOW_MELT = 'company3'

const addSnowMelt = async (installation: Installation, tenantId: string) => {
  for (const mode of snowMeltModes)
    await installation.database.transaction({ tenantId }, (db) =>
      setSnowMeltConfig(db, by(), { tenantId, mode, configId: `snow-melt-${mode.toLowerCase().replace('_', '-')}` }),
    )
}

/** Until the next day: the editing log has only a part of its past when the first job runs. */
const delayAuditMail = async (db: Db, tenantId: string) => {
  const due_at = new Date()
  due_at.setUTCHours(24, 0, 0, 0)
  await db.insertInto('jobs').values({ queue: 'audit-heads', tenant_id: tenantId, due_at }).execute()
}

/** Creates missing demo tenants and users; existing ones are unchanged. */
export const provisionDemo = async (installation: Installation) => {
  if (!installation.owner) throw new Error('The demo needs DATABASE_OWNER_URL, to create its tenants.')
  const owner = openDatabase(installation.owner, () => {})
  try {
    for (const tenant of demoTenants) {
      if (await hasTenant(installation, tenant.id)) continue
      await owner.transaction({ tenantId: tenant.id }, async (db) => {
        await createTenant(db, by(), tenant)
        await delayAuditMail(db, tenant.id)
      })
      if (tenant.share > 0) await addUsers(installation, tenant)
      if (tenant.share > 0 && tenant.id !== WITHOUT_SNOW_MELT) await addSnowMelt(installation, tenant.id)
    }
  } finally {
    await owner.close()
  }
}
