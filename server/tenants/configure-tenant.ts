import * as z from 'zod/mini'
import { isEmail } from '#contract/credentials.ts'
import { TenantConfig } from '#contract/tenants.ts'
import { recordAudit } from '../audit/record.ts'
import type { Db } from '../platform/database/database.ts'
import { Faq } from './configuration.ts'

const isAddress = (text: string | undefined) =>
  text === undefined || text.startsWith('/') || URL.parse(text)?.protocol === 'https:'

const address = z.optional(z.string().check(z.refine(isAddress, 'must be an https:// address')))

const isOrigin = (text: string) => URL.parse(text)?.protocol === 'https:' && URL.parse(text)?.origin === text

/** The settings file that an operator writes for a tenant. Unknown names are errors, to catch typos. */
export const TenantConfigurationFile = z.strictObject({
  config: z.strictObject({
    ...TenantConfig.shape,
    tenant: z.optional(z.undefined()),
    timeZone: z.optional(z.undefined()),
    units: z.optional(z.undefined()),
    support_email: z.optional(z.string().check(z.refine(isEmail, 'must be an email address'))),
    chatbot_script: address,
    freshdesk_script: address,
    faq_url: address,
    sales_url: address,
  }),
  faq: z._default(Faq, []),
  widgetOrigins: z._default(
    z.array(z.string().check(z.refine(isOrigin, 'must be an origin like https://widget.example'))),
    [],
  ),
  /** Like `tenant settings`; unchanged if absent. */
  settlingMinutes: z.optional(z.int().check(z.minimum(1), z.maximum(120))),
})
export type TenantConfigurationFile = z.output<typeof TenantConfigurationFile>

/** Replaces a tenant's settings. Open pages get them on reload. */
export const configureTenant = async (
  db: Db,
  tenantId: string,
  by: { performer: string; now: Date },
  { config, faq, widgetOrigins, settlingMinutes }: TenantConfigurationFile,
) => {
  const publicConfig = JSON.stringify(z.encode(TenantConfig, config))
  const row = {
    public_config: publicConfig,
    faq: JSON.stringify(faq),
    widget_origins: widgetOrigins,
    ...(settlingMinutes !== undefined && { settling_minutes: settlingMinutes }),
    updated_at: by.now,
  }
  await db
    .insertInto('tenant_settings')
    .values({ tenant_id: tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute()
  await recordAudit(db, tenantId, by.now, {
    performer: by.performer,
    action: 'tenant.configure',
    performee: tenantId,
    details: { after: JSON.parse(publicConfig) },
  })
}
