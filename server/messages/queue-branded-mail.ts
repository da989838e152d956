import type { Db } from '../platform/database/database.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { type MailBrand, toMailBrand } from './mail-brand.ts'
import { type Mail, queueMail } from './queue-mail.ts'
import { type MailContent, renderMail } from './render-mail.ts'

interface BrandedMail extends Omit<MailContent, 'heading'>, Omit<Mail, 'to' | 'text' | 'html'> {
  /** Defaults to the subject. */
  heading?: string
}

/** Queues a mail in the tenant's branding and time zone, one per recipient, in the transaction that causes it. */
export const queueBrandedMail = async (
  db: Db,
  tenantId: string,
  recipients: readonly string[],
  compose: (brand: MailBrand, timeZone: string) => BrandedMail,
) => {
  const { config, timeZone } = await getTenantConfiguration(db, tenantId)
  const brand = toMailBrand(config)
  const mail = compose(brand, timeZone)
  const body = renderMail(brand, { heading: mail.subject, ...mail })
  for (const to of recipients) await queueMail(db, tenantId, { to, ...mail, ...body })
}
