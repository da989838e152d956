import type { AccountGroup } from '#contract/account-groups.ts'
import { parseOrganization } from '#contract/executive-sums.ts'
import { listPoolsAtRisk } from '#contract/pools-at-risk.ts'
import { measurePeriod } from '../availability/summarize.ts'
import { toMailBrand } from '../messages/mail-brand.ts'
import { listPools } from '../plans/queries.ts'
import type { Context } from '../platform/context.ts'
import { RawResponse } from '../platform/http/mount.ts'
import { renderExecutivePdf } from '../reports/render-pdf.ts'
import { findBrandFile } from '../tenants/brand-files.ts'
import { getTenantConfiguration } from '../tenants/configuration.ts'
import { readMonths } from './months.ts'

interface Input {
  month?: string | undefined
  group?: AccountGroup | undefined
}

const gather = (ctx: Context, { month: wanted, group }: Input) =>
  ctx.transaction(async (db) => {
    const { tenantId, services } = ctx
    const now = services.now()
    const { config, timeZone } = await getTenantConfiguration(db, tenantId)
    const months = await readMonths(db, tenantId, { now, month: wanted, group })
    return {
      brand: toMailBrand(config),
      scope: group === undefined ? 'All account groups' : `Account group ${group}`,
      // Excludes the same plans as the page.
      months: { ...months, plans: months.plans.filter(({ plan_name }) => parseOrganization(plan_name) !== null) },
      availability: await measurePeriod(db, ctx, { period: 'month', day: `${months.month}-01` }),
      pools: listPoolsAtRisk(await listPools(db, tenantId)),
      madeAt: now,
      timeZone,
    }
  })

export const renderMonthsPdf = async (ctx: Context, input: Input) => {
  const document = await gather(ctx, input)
  const readImage = (address: string) => findBrandFile(ctx.services.config.brandDir, address)
  const bytes = await renderExecutivePdf(readImage, ctx.tenantId, document)
  return new RawResponse((_, reply) =>
    reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="executive-${document.months.month}.pdf"`)
      .header('cache-control', 'no-store')
      .send(bytes),
  )
}
