import type { TenantConfig, tenants } from '#contract/tenants.ts'
import type { AnonymousContext } from '../platform/context.ts'
import type { Handlers } from '../platform/http/mount.ts'
import { getPageConfiguration } from './configuration.ts'

const isEmpty = (config: TenantConfig) => Object.values(config).every((value) => value === undefined)

const getConfig = async ({ tenantId, services }: AnonymousContext): Promise<TenantConfig> => {
  // On localhost without a tenant the page shows the default brand.
  if (tenantId === undefined) return { company_name: 'Dishboard' }
  const { config, timeZone, units, singleSignOn } = await getPageConfiguration(services.database, tenantId)
  if (isEmpty(config)) return {}
  const mapTiles = { ...services.config.mapTiles, ...config.mapTiles }
  return { ...config, tenant: tenantId, timeZone, units, mapTiles, ...(singleSignOn && { singleSignOn }) }
}

export const tenantHandlers: Handlers<typeof tenants> = { config: getConfig }
