import * as z from 'zod/mini'
import { snowMeltModes } from '#contract/snow-melt.ts'
import { requiredLine } from '#contract/text.ts'
import { setSnowMeltConfig } from '#server/commands/snow-melt-configs.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const NONE = 'none'

export const vendorSnowMelt = defineCommand({
  name: 'vendor snow-melt',
  summary: 'Map a snow melt mode to a Starlink terminal configuration, so that users can choose the mode',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    mode: {
      value: 'MODE',
      help: snowMeltModes.join(', '),
      schema: z.enum(snowMeltModes, `Please give one of ${snowMeltModes.join(', ')}`),
    },
    'config-id': {
      value: 'ID',
      help: `id of the configuration, as Starlink's account page shows it; ${NONE} removes the mapping`,
      schema: requiredLine(200),
    },
  },
  run: ({ tenant: tenantId, mode, 'config-id': given }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      const configId = given === NONE ? null : given
      await installation.database.transaction({ tenantId }, (db) =>
        setSnowMeltConfig(db, { performer, now: new Date() }, { tenantId, mode, configId }),
      )
      print(
        configId === null
          ? `Users of tenant ${tenantId} can no longer choose snow melt mode ${mode}.`
          : `Snow melt mode ${mode} now assigns configuration ${configId} in tenant ${tenantId}.`,
      )
      return 0
    }),
})
