import type { TenantConfig } from '#contract/tenants.ts'

/** The branding of a tenant's mail. */
export interface MailBrand {
  company: string
  color: string
  logo: string | undefined
  supportPhone: string | undefined
  supportEmail: string | undefined
}

const COLOR = /^#([\da-f]{3}|[\da-f]{6})$/i
const DEFAULT_COLOR = '#0369a1'

export const toMailBrand = ({
  company_name,
  colors,
  images,
  support_phone,
  support_email,
}: TenantConfig): MailBrand => ({
  company: company_name ?? 'Dishboard',
  color: colors?.primary && COLOR.test(colors.primary) ? colors.primary : DEFAULT_COLOR,
  logo: images?.logo,
  supportPhone: support_phone,
  supportEmail: support_email,
})
