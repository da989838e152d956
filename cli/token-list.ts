import { formatIsoTime } from '#contract/format/times.ts'
import { listTokens } from '#server/api-tokens/queries.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand } from './command.ts'
import { requireTenant, withInstallation } from './with-installation.ts'

const formatTime = (at: Date | null) => (at ? formatIsoTime(at, 'UTC') : 'never')

export const tokenList = defineCommand({
  name: 'token list',
  summary: 'List the API tokens of a tenant: id, owner, name, scopes, end and last use',
  options: { tenant: { value: 'ID', help: 'the tenant', schema: TenantId } },
  run: ({ tenant: tenantId }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      const tokens = await installation.database.transaction({ tenantId }, (db) => listTokens(db, tenantId))
      for (const { id, owner, name, scopes, expiresAt, lastUsedAt } of tokens)
        print(
          [id, owner || 'service', name, scopes.join(','), formatTime(expiresAt), formatTime(lastUsedAt)].join('\t'),
        )
      return 0
    }),
})
