import * as z from 'zod/mini'
import { formatLength } from '#contract/format/durations.ts'
import { formatCounted } from '#contract/format/numbers.ts'
import { formatMoment } from '#contract/format/times.ts'
import { rehearseIncidents } from '#server/incidents/rehearse-incidents.ts'
import { TenantId } from '#server/tenants/create-tenant.ts'
import { getTenantSettings } from '#server/tenants/tenant-settings.ts'
import { defineCommand } from './command.ts'
import { requireTenant, withInstallation } from './with-installation.ts'

const DAY_MS = 86_400_000
const Days = z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'Please give a number of days, 1 to 999'))

export const incidentsRehearse = defineCommand({
  name: 'incidents rehearse',
  summary: 'Judge the past outages of a tenant again with the rules of this version, and print each; changes nothing',
  options: {
    tenant: { value: 'ID', help: 'the tenant', schema: TenantId },
    days: { value: 'N', help: 'how many days back; 30 unless given', schema: Days, isOptional: true },
  },
  run: ({ tenant: tenantId, days = '30' }, { environment, print }) =>
    withInstallation(environment, async (installation) => {
      await requireTenant(installation, tenantId)
      const until = new Date()
      const since = new Date(until.getTime() - Number(days) * DAY_MS)
      const { found, timeZone } = await installation.database.transaction({ tenantId }, async (db) => ({
        found: await rehearseIncidents(db, tenantId, since, until),
        timeZone: (await getTenantSettings(db, tenantId)).timeZone,
      }))
      for (const { startedAtMs, endedAtMs, terminals, title, reasons } of found) {
        const lasted = endedAtMs === null ? 'still lasts' : `lasted ${formatLength((endedAtMs - startedAtMs) / 1000)}`
        const facts = `${formatCounted(terminals, 'terminal')}, ${lasted}`
        print(`${formatMoment(startedAtMs, timeZone)}  ${title} (${facts}). ${reasons}`)
      }
      print(`${formatCounted(found.length, 'incident')} in ${formatCounted(Number(days), 'day')}.`)
      return 0
    }),
})
