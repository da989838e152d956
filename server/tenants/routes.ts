import * as z from 'zod/mini'
import { TenantConfig, type tenants } from '#contract/tenants.ts'
import type { Visit } from '../context.ts'
import type { Handlers } from '../http.ts'

const isEmpty = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

const getConfig = async (visit: Visit): Promise<TenantConfig> => {
  const { tenantId } = visit
  // On localhost without a tenant the page shows the default brand.
  if (tenantId === undefined) return { company_name: 'Dishboard' }
  const settings = await visit.services.database.transaction({ tenantId }, (db) =>
    db.selectFrom('tenant_settings').select('public_config').where('tenant_id', '=', tenantId).executeTakeFirst(),
  )
  const stored = settings?.public_config ?? {}
  return isEmpty(stored) ? {} : { ...z.decode(TenantConfig, stored as never), tenant: tenantId }
}

export const tenantHandlers: Handlers<typeof tenants> = { config: getConfig }
