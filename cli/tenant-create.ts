import { requiredLine } from '#contract/text.ts'
import { createTenant, Host, TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand } from './command.ts'
import { openAsOwner, performer, withInstallation } from './with-installation.ts'

export const tenantCreate = defineCommand({
  name: 'tenant create',
  summary: 'Create a tenant (a reseller) and the host name of its portal',
  options: {
    id: { value: 'ID', help: 'short name: lowercase letters, digits, _ and -', schema: TenantId },
    host: { value: 'HOST', help: 'host name of the portal, without port', schema: Host },
    company: { value: 'NAME', help: 'name shown on the pages', schema: requiredLine(200) },
  },
  run: ({ id, host, company }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      const owner = openAsOwner(installation)
      try {
        const tenant = { id, hosts: [host], config: { company_name: company } }
        await owner.transaction({ tenantId: id }, (db) => createTenant(db, { performer, now: new Date() }, tenant))
      } finally {
        await owner.close()
      }
      print(`Created tenant ${id}, served at ${host}.`)
      return 0
    }),
})
