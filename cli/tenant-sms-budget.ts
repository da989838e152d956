import * as z from 'zod/mini'
import { recordAudit } from '#server/audit/record.ts'
import { getSmsBudget, setSmsBudget } from '#server/messages/sms-budget.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { defineCommand } from './command.ts'
import { performer, requireTenant, withInstallation } from './with-installation.ts'

const TextCount = z.string().check(z.regex(/^\d{1,9}$/, 'Please give a whole number of texts, 0 to send none'))

export const tenantSmsBudget = defineCommand({
  name: 'tenant sms-budget',
  summary: 'Set how many texts a tenant may send in a calendar month (UTC); 1000 unless set',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    texts: { value: 'N', help: 'texts in a month; 0 sends none', schema: TextCount },
  },
  run: ({ tenant: tenantId, texts }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      const budget = Number(texts)
      const now = new Date()
      const sent = await installation.database.transaction({ tenantId }, async (db) => {
        const before = await getSmsBudget(db, tenantId, now)
        await setSmsBudget(db, tenantId, budget, now)
        await recordAudit(db, tenantId, now, {
          performer,
          action: 'tenant.sms_budget',
          performee: tenantId,
          details: { before: { texts: before.budget }, after: { texts: budget } },
        })
        return before.texts
      })
      print(`Tenant ${tenantId} may send ${budget} texts a month; ${sent} were sent this month.`)
      return 0
    }),
})
