import { Email } from '#contract/credentials.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { findUserId } from '#server/users/queries.ts'
import { resetFactors } from '#server/users/reset-factors.ts'
import { defineCommand } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

export const userResetFactors = defineCommand({
  name: 'user reset-factors',
  summary: 'Remove the second factors of a user who has lost them, and sign the user out; the user gets a mail',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    email: { value: 'E', help: 'email address of the user', schema: Email },
  },
  run: ({ tenant: tenantId, email }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      const { message } = await installation.database.transaction({ tenantId }, async (db) =>
        resetFactors(db, tenantId, { performer, now: new Date() }, await findUserId(db, tenantId, email)),
      )
      print(message)
      return 0
    }),
})
