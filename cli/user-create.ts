import { CreateUser } from '#contract/users.ts'
import { createUser } from '#server/identity/create-user.ts'
import { COMMON_PASSWORD, loadCommonPasswordCheck } from '#server/identity/password-rules.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand, UsageError } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const { email, initialPassword, role, username, customerName, company } = CreateUser.shape

export const userCreate = defineCommand({
  name: 'user create',
  summary: 'Create a user who can sign in to a tenant’s portal',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    email: { value: 'E', help: 'email address to sign in with', schema: email },
    password: { value: 'P', help: 'password to sign in with', schema: initialPassword, isSecret: true },
    role: {
      value: 'admin|user',
      help: 'admin sees all lines of the tenant, user only those of the group',
      schema: role,
    },
    group: { value: 'G', help: 'customer group of the user', schema: username },
    name: { value: 'N', help: 'name of the user', schema: customerName },
    company: { value: 'C', help: 'company of the user', schema: company },
  },
  run: (given, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, given.tenant)
      const isCommon = await loadCommonPasswordCheck()
      if (isCommon(given.password)) throw new UsageError(`--password: ${COMMON_PASSWORD}`)
      const user = {
        email: given.email,
        initialPassword: given.password,
        role: given.role,
        username: given.group,
        customerName: given.name,
        company: given.company,
      }
      await installation.database.transaction({ tenantId: given.tenant }, (db) =>
        createUser(db, given.tenant, { performer, now: new Date() }, user),
      )
      print(`Created ${given.role} ${given.email} in group ${given.group} of tenant ${given.tenant}.`)
      return 0
    }),
})
