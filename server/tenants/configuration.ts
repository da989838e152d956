import * as z from 'zod/mini'
import { TenantConfig } from '#contract/tenants.ts'
import type { Units } from '#contract/units.ts'
import { createBatchedRead } from '../platform/database/batched-read.ts'
import type { Database, Db } from '../platform/database/database.ts'
import { createLastKnown } from '../platform/database/last-known.ts'

export const Faq = z.array(
  z.object({ question: z.string(), answer: z.string(), keywords: z._default(z.array(z.string()), []) }),
)
export type Faq = z.output<typeof Faq>

export interface TenantConfiguration {
  /** Public. If it is empty, the tenant has no portal yet. */
  config: TenantConfig
  faq: Faq
  widgetOrigins: string[]
  timeZone: string
  units: Units
  singleSignOn: TenantConfig['singleSignOn']
}

const withoutConfiguration: TenantConfiguration = {
  config: {},
  faq: [],
  widgetOrigins: [],
  timeZone: 'UTC',
  units: 'metric',
  singleSignOn: undefined,
}

const BARE_FILE = /^[\w-][\w.-]*$/

/** An image is a URL, or the name of a file in the tenant's image folder. */
const toPictureUrl = (tenantId: string, picture: string) =>
  BARE_FILE.test(picture) ? `/brand/${tenantId}/${picture}` : picture

const withPictureUrls = (tenantId: string, { images, ...config }: TenantConfig): TenantConfig => {
  if (!images) return config
  const pictures = Object.entries(images).map(([name, picture]) => [name, picture && toPictureUrl(tenantId, picture)])
  return { ...config, images: Object.fromEntries(pictures) }
}

const readLastKnown = createLastKnown<TenantConfiguration>()

/** Coalesces concurrent reads: visitors may request pages at any rate. */
const readConfiguration = createBatchedRead<undefined, TenantConfiguration>(async (database, tenantId, requests) => {
  const configuration = await database.transaction({ tenantId }, (db) => getTenantConfiguration(db, tenantId))
  return requests.map(() => configuration)
})

/** For pages, which need it even while the database is overloaded. */
export const getPageConfiguration = (database: Database, tenantId: string) =>
  readLastKnown(database, tenantId, () => readConfiguration(database, tenantId, undefined))

export const getTenantConfiguration = async (db: Db, tenantId: string): Promise<TenantConfiguration> => {
  const row = await db
    .selectFrom('tenant_settings')
    .leftJoin('sso_connections as sso', (join) =>
      join.onRef('sso.tenant_id', '=', 'tenant_settings.tenant_id').on('sso.is_enabled', '=', true),
    )
    .select(['public_config', 'faq', 'widget_origins', 'time_zone', 'units', 'sso.button_label', 'sso.is_only'])
    .where('tenant_settings.tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (!row) return withoutConfiguration
  return {
    config: withPictureUrls(tenantId, z.decode(TenantConfig, row.public_config as never)),
    faq: z.decode(Faq, row.faq as never),
    widgetOrigins: row.widget_origins,
    timeZone: row.time_zone,
    units: row.units as Units,
    singleSignOn: row.button_label === null ? undefined : { label: row.button_label, isOnly: row.is_only === true },
  }
}
