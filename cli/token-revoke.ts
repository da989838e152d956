import { apiTokens } from '#contract/api-tokens.ts'
import { findTokenUser, revokeToken } from '#server/api-tokens/revoke-token.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

export const tokenRevoke = defineCommand({
  name: 'token revoke',
  summary: 'Revoke an API token, of a service or a user, at once',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    id: { value: 'TOKEN', help: 'the id that token list prints', schema: apiTokens.revoke.input.shape.tokenId },
  },
  run: ({ tenant: tenantId, id: tokenId }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      const { message } = await installation.database.transaction({ tenantId }, async (db) => {
        const userId = await findTokenUser(db, tenantId, tokenId)
        return revokeToken(db, tenantId, { performer, now: new Date() }, { tokenId, userId })
      })
      print(message)
      return 0
    }),
})
