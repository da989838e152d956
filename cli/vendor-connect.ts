import * as z from 'zod/mini'
import { requiredLine } from '#contract/text.ts'
import { recordAudit } from '#server/audit/record.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { connectVendor } from '#server/vendor/credentials.ts'
import { CommandError, defineCommand } from './command.ts'
import { probeVendor } from './vendor-probe.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A secret is sent to this address, so it must use https or loopback. */
const isSafeAddress = (text: string) => {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.search || url.hash) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}

const Address = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.trim().replace(/\/+$/, '')),
  ),
  z
    .string()
    .check(z.refine(isSafeAddress, 'Please give an https address (http on loopback only), without user or query')),
)

export const vendorConnect = defineCommand({
  name: 'vendor connect',
  summary: 'Connect a Starlink account to a tenant after testing its credential',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    'base-url': { value: 'URL', help: 'the API endpoint, https://starlink.com/api/public/v2', schema: Address },
    'token-url': {
      value: 'URL',
      help: 'the token endpoint, https://starlink.com/api/auth/connect/token',
      schema: Address,
    },
    'client-id': { value: 'X', help: 'client id of the service account', schema: requiredLine(200) },
    'client-secret': { value: 'Y', help: 'its secret, stored encrypted', schema: requiredLine(500), isSecret: true },
  },
  run: (given, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      const { tenant: tenantId, 'base-url': baseUrl, 'token-url': tokenUrl } = given
      const access = { baseUrl, tokenUrl, clientId: given['client-id'], clientSecret: given['client-secret'] }
      await requireTenant(installation, tenantId)
      const probe = await probeVendor(access)
      if ('fault' in probe)
        throw new CommandError(`nothing was stored because the test failed: ${probe.fault.replace(/\.$/, '')}.`)
      await installation.database.transaction({ tenantId }, async (db) => {
        await connectVendor(db, installation.secrets, { tenantId, ...access })
        await recordAudit(db, tenantId, new Date(), {
          performer,
          action: 'vendor.connect',
          performee: probe.account,
          details: { baseUrl, tokenUrl, clientId: access.clientId },
        })
      })
      print(`Connected account ${probe.account} to tenant ${tenantId}; the work process reads it within seconds.`)
      return 0
    }),
})
